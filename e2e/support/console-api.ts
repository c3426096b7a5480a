import type { Product, ProductFacts } from './product.ts'

/** The console's API, signed in as the owner. */
export interface ConsoleApi {
  get<T>(path: string): Promise<T>
  getText(path: string): Promise<string>
  post(path: string, body?: object): Promise<void>
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

/** The console's API with the cookie of a signed-in operator. */
export function consoleApi(product: ProductFacts, cookie: string): ConsoleApi {
  const getText = async (path: string): Promise<string> => {
    const reply = await fetch(`${product.consoleUrl}/api${path}`, { headers: { cookie } })
    if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
    return reply.text()
  }
  return {
    getText,
    async post(path, body = {}) {
      const reply = await fetch(`${product.consoleUrl}/api${path}`, {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/json', origin: new URL(product.consoleUrl).origin },
        body: JSON.stringify(body),
      })
      if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
    },
    async get<T>(path: string): Promise<T> {
      // The shapes are the product's own OpenAPI document's; the tests assert what they use.
      return JSON.parse(await getText(path)) as T
    },
  }
}
