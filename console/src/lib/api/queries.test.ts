import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { instanceQuery, operatorQuery, overviewQuery } from './queries.ts'

afterEach(() => vi.unstubAllGlobals())

test.each([
  ['overview', overviewQuery],
  ['instance', instanceQuery],
  ['operator', operatorQuery],
])('a route that waits for %s gets it, though the frame that showed it is gone', async (_name, query) => {
  let reply: (response: Response) => void = () => undefined
  vi.stubGlobal('fetch', ({ signal }: Request) => {
    return new Promise<Response>((resolve, reject) => {
      reply = resolve
      signal.addEventListener('abort', () => reject(new DOMException('left', 'AbortError')))
    })
  })
  const client = new QueryClient()
  const options: { readonly queryKey: readonly string[] } = query
  const waited = client.ensureQueryData(options)
  new QueryObserver(client, options).subscribe(() => undefined)()
  await vi.waitFor(() => reply(Response.json({ operator: 'here' })))
  await expect(waited).resolves.toBeDefined()
})
