// The page's beginning.

import { mount } from 'svelte';

import { takeToken } from './api/client';
import App from './App.svelte';
import './app.css';

takeToken();
const target = document.getElementById('app');
if (target) mount(App, { target });
