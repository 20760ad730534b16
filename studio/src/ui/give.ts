// Files for the person.

/** Lets the browser save a text as a file. */
export function giveFile(name: string, text: string, type = 'text/plain'): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  // Browsers fetch the address after the click returns.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
