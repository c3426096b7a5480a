/** A query string as it was meant, `?select=id,name`, for reading; empty when there is none. What is not well encoded stays as it is. */
export function readableQuery(query: string): string {
  const bare = query.replace(/^\?/, '')
  if (bare === '') return ''
  try {
    return `?${decodeURIComponent(bare.replaceAll('+', ' '))}`
  } catch {
    return `?${bare}`
  }
}
