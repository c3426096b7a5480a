import { readFileSync } from 'node:fs'
import type { ConsoleApi } from './console-api.ts'

/** The screens of the console's route tree, as `/people/$id`. */
export function readScreens(): readonly string[] {
  const tree = readFileSync(new URL('../../console/src/routes.gen.ts', import.meta.url), 'utf8')
  const paths = /\n {2}fullPaths:((?:\n {4}\| '[^']+')+)/.exec(tree)?.[1] ?? ''
  return [...paths.matchAll(/'([^']+)'/g)].map(([, path = '']) => path)
}

/** Where the lists are from which screens of one thing get their first thing, and what names it there. */
const lists: Readonly<Record<string, readonly [path: string, list: string, id: string]>> = {
  '/cohorts/$id': ['/cohorts', 'cohorts', 'id'],
  '/errors/$id': ['/errors', 'issues', 'id'],
  '/experiments/$id': ['/experiments', 'experiments', 'id'],
  '/flags/$key': ['/flags', 'flags', 'key'],
  '/functions/$name': ['/functions', 'functions', 'name'],
  '/jobs/$jobId': ['/jobs', 'jobs', 'jobId'],
  '/people/$id': ['/people', 'people', 'id'],
  '/queues/$name': ['/queues', 'queues', 'name'],
  '/requests/$id': ['/requests', 'requests', 'id'],
  '/sessions/$id': ['/sessions', 'sessions', 'id'],
  '/storage/$bucket': ['/storage/buckets', 'buckets', 'id'],
  '/surveys/$id': ['/surveys', 'surveys', 'id'],
  '/users/$id': ['/users', 'users', 'id'],
}

/**
 * The address of a screen, with the first thing that its list has; with the name `none` where it has nothing, which the
 * screen then says.
 *
 * @param path as the route tree has it
 */
export async function addressOf(api: ConsoleApi, path: string): Promise<string> {
  const list = lists[path]
  let id = 'none'
  if (list !== undefined) {
    const [from, name, key] = list
    const answer =
      await api.get<Readonly<Record<string, readonly Readonly<Record<string, unknown>>[] | undefined>>>(from)
    id = String(answer[name]?.[0]?.[key] ?? id)
  }
  return path
    .replace('$schema/$table', 'public/products')
    .replace('$type/$key', 'company/corner-house')
    .replace(/\$\w+/, encodeURIComponent(id))
    .replace(/\/$/, '')
}
