import { createMemoryHistory } from '@tanstack/react-router'
import { type RenderResult, render } from '@testing-library/react'
import { vi } from 'vitest'
import { Console } from '../src/console.tsx'
import type { paths } from '../src/lib/api/api.gen.ts'
import { createKeyboard } from '../src/lib/keyboard.ts'
import type { LiveSocket } from '../src/lib/live/connection.ts'
import { createConsole } from '../src/router.tsx'

type BodyOf<Operation> = Operation extends { responses: { 200: { content: { 'application/json': infer Body } } } }
  ? Body
  : Operation extends { responses: { 201: { content: { 'application/json': infer Body } } } }
    ? Body
    : null

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** The server's answers by path and method: a body, null for an answer without one, or a function of the request. */
export type Answers = {
  readonly [Path in keyof paths]?: {
    readonly [Name in Method]?:
      | BodyOf<NonNullable<paths[Path][Name]>>
      | ((request: Request) => Response | Promise<Response>)
  }
}

/** An error response as the console's API words it. */
export function refuse(status: number, code: string, message: string, hint: string | null = null): () => Response {
  return () => Response.json({ error: { code, message, hint, requestId: 'r-7' } }, { status })
}

/** A live connection that never opens. */
const quietSocket: LiveSocket = {
  readyState: 0,
  send: () => undefined,
  close: () => undefined,
  onopen: null,
  onmessage: null,
  onclose: null,
}

/**
 * Opens the console at an address, with a new router and query cache; only `fetch` is replaced.
 *
 * @param address under `/console`
 * @returns what was rendered, where the console is, and the requests that left it, as `GET /sessions?limit=50`
 */
export function openConsole(address: string, answers: Answers) {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname, search } = new URL(request.url)
    asked.push(`${request.method} ${pathname.replace('/console/api', '')}${search}`)
    return respond(answers, pathname, request)
  })
  const history = createMemoryHistory({ initialEntries: [`/console${address}`] })
  const console = createConsole(history, () => quietSocket)
  const rendered: RenderResult = render(<Console {...console} keyboard={createKeyboard(window)} />)
  const close = () => {
    rendered.unmount()
    console.queryClient.clear()
  }
  return { ...rendered, close, asked, at: () => history.location.href.replace('/console', '') }
}

async function respond(answers: Answers, pathname: string, request: Request): Promise<Response> {
  // A path without parameters stands before one that has some: `/data/tables` is no row's address.
  const found = Object.entries(answers)
    .toSorted(([a], [b]) => a.split('{').length - b.split('{').length)
    .find(([path]) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname))
  const methods: Readonly<Record<string, unknown>> = found?.[1] ?? {}
  const answer = methods[request.method.toLowerCase()]
  if (typeof answer === 'function') return answer(request)
  if (answer === undefined) return refuse(404, 'TEST_NO_ANSWER', `${request.method} ${pathname} is not answered.`)()
  return answer === null ? new Response(null, { status: 204 }) : Response.json(answer)
}
