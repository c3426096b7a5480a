import type { Product } from './product.ts'

/** The console's API, signed in as the owner. */
export interface ConsoleApi {
  get<T>(path: string): Promise<T>
  readonly cookie: string
}

export const owner = { name: 'Olga Owner', email: 'olga@example.test', password: 'a long and calm password' }

/** Claims the one-time link as the owner and keeps the cookie. */
export async function claimOwner(product: Product): Promise<ConsoleApi> {
  const token = new URL(product.setupUrl ?? '').searchParams.get('token')
  const answer = await fetch(`${product.apiUrl}/console/api/setup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: product.apiUrl },
    body: JSON.stringify({ token, ...owner }),
  })
  if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`)
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  return {
    cookie,
    async get<T>(path: string): Promise<T> {
      const reply = await fetch(`${product.apiUrl}/console/api${path}`, { headers: { cookie } })
      if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
      // The shapes are the product's own OpenAPI document's; the tests assert what they use.
      return (await reply.json()) as T
    },
  }
}
