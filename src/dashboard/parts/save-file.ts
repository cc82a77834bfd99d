/** Downloads content from memory. A link to the API couldn't carry the token. */
export function saveFile(name: string, content: BlobPart): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
