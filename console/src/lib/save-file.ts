/** Has the browser save what an address answers. */
export function saveFrom(url: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = ''
  link.click()
}
