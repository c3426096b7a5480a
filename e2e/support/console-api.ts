import type { Product, ProductFacts } from './product.ts'

/** The console's API, signed in as the owner. */
export interface ConsoleApi {
  get<T>(path: string): Promise<T>
  getText(path: string): Promise<string>
  /** The answer's JSON; undefined where it has no body. */
  post<T = void>(path: string, body?: object): Promise<T>
  put(path: string, body: object): Promise<void>
  patch(path: string, body: object): Promise<void>
}

export const owner = { name: 'Olga Owner', email: 'olga@example.test', password: 'a long and calm password' }

/** Claims the one-time link as the owner and keeps the cookie. */
export async function claimOwner(product: Product): Promise<ConsoleApi> {
  const token = new URL(product.setupUrl ?? '').searchParams.get('token')
  const answer = await fetch(`${product.consoleUrl}/api/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: new URL(product.consoleUrl).origin },
    body: JSON.stringify({ token, ...owner }),
  })
  if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`)
  return consoleApi(product, answer.headers.getSetCookie()[0]?.split(';')[0] ?? '')
}

/** Signs in as the owner, whose account exists since an earlier start. */
export async function signInOwner(product: ProductFacts): Promise<ConsoleApi> {
  const answer = await fetch(`${product.consoleUrl}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: new URL(product.consoleUrl).origin },
    body: JSON.stringify({ email: owner.email, password: owner.password }),
  })
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  return consoleApi(product, answer.headers.getSetCookie()[0]?.split(';')[0] ?? '')
}

/** Invites an operator with a role. @returns the cookie of the session in which they joined */
export async function joinTeam(
  { consoleUrl }: ProductFacts,
  owner: ConsoleApi,
  { email, role }: { readonly email: string; readonly role: string },
): Promise<string> {
  const invited = await owner.post<{ readonly url: string }>('/team/invitations', { email, role })
  const answer = await fetch(`${consoleUrl}/api/invitation/account`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: new URL(consoleUrl).origin },
    body: JSON.stringify({ token: invited.url.split('#')[1], name: role, password: 'a long and calm password' }),
  })
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

/** The console's API with the cookie of a signed-in operator. */
export function consoleApi(product: ProductFacts, cookie: string): ConsoleApi {
  const getText = async (path: string): Promise<string> => {
    const reply = await fetch(`${product.consoleUrl}/api${path}`, { headers: { cookie } })
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
    return reply.text()
  }
  const send = async (method: string, path: string, body: object): Promise<unknown> => {
    const reply = await fetch(`${product.consoleUrl}/api${path}`, {
      method,
      headers: { cookie, 'content-type': 'application/json', origin: new URL(product.consoleUrl).origin },
      body: JSON.stringify(body),
    })
    const text = await reply.text()
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  return {
    getText,
    post: async <T>(path: string, body: object = {}) => (await send('POST', path, body)) as T,
    async put(path, body) {
      await send('PUT', path, body)
    },
    async patch(path, body) {
      await send('PATCH', path, body)
    },
    async get<T>(path: string): Promise<T> {
      // The shapes are the product's own OpenAPI document's; the tests assert what they use.
      return JSON.parse(await getText(path)) as T
    },
  }
}
