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

const objectPath =
  /^\/storage\/v1\/(?:object|render\/image)\/(?:(?:public|sign|authenticated)\/)?(?!(?:list|list-v2|info|upload|copy|move)(?:\/|$))([^/]+\/.+)$/
const resumablePath = /^\/storage\/v1\/upload\/resumable\/(?:sign\/)?([\w-]+)$/

/** The bucket and the key of the object that a request sends or reads, `photos/cakes/a.png`; null for any other request. */
export function objectOfRequest(path: string): string | null {
  try {
    const [, plain] = objectPath.exec(path) ?? []
    if (plain !== undefined) return decodeURIComponent(plain)
    // A resumable upload's address has both in Base64, and its own id after them.
    const [, coded] = resumablePath.exec(path) ?? []
    if (coded === undefined) return null
    const bytes = Uint8Array.from(atob(coded.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0))
    return new TextDecoder().decode(bytes).replace(/\/[^/]*$/, '')
  } catch {
    return null
  }
}
