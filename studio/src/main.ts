// The page's beginning.

import { mount } from 'svelte';

import { takeToken } from './api/client';
import App from './App.svelte';
import './app.css';

async function begin(): Promise<void> {
  await takeToken();
  const target = document.getElementById('app');
  if (target) mount(App, { target });
}

// Whoever pastes the printed address into a page that is open changes only what is after `#`: nothing is loaded anew.
addEventListener('hashchange', async () => {
  if (await takeToken()) location.reload();
});
void begin();
