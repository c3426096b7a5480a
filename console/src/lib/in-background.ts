/** Lets a promise settle by itself; a failure is written to the browser's console. */
export function inBackground(promise: Promise<unknown> | undefined): void {
  promise?.catch(console.error)
}
