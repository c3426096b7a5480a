/** Gives a text or a picture to the browser as a file. */
export function saveFile(name: string, content: string | Blob, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }))
  save(url, name)
  URL.revokeObjectURL(url)
}

/** Has the browser save what an address answers, under the name that the answer gives. */
export const saveFrom = (url: string): void => save(url, '')

function save(url: string, name: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}
