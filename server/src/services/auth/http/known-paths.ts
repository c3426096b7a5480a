import type { FastifyInstance } from 'fastify'

/**
 * Notes the paths of the routes that are added after it. A path that is served under another method is answered unlike
 * one that is not served at all (auth §1).
 *
 * @returns whether a path is served under some method
 */
export function notePaths(app: FastifyInstance): (path: string) => boolean {
  const patterns: RegExp[] = []
  app.addHook('onRoute', ({ method, url }) => {
    const isForAll = method === 'OPTIONS' || url.includes('*')
    if (!isForAll) patterns.push(new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}$`))
  })
  return (path) => patterns.some((pattern) => pattern.test(path))
}
