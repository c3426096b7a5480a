import type { AnalyticsCase, Call } from '../cases/analytics/case.ts'
import { packings } from './pack.ts'
import type { AnalyticsProduct } from './product.ts'
import type { Scope } from './scope.ts'

/** A case that was sent, and what was answered. */
export interface SentCase {
  readonly scope: Scope
  readonly answers: readonly { readonly status: number; readonly headers: Headers; readonly body: Buffer }[]
}

/** Sends the requests of a case, one after another. */
export async function sendCase(product: AnalyticsProduct, one: AnalyticsCase, scope: Scope): Promise<SentCase> {
  const answers: SentCase['answers'][number][] = []
  for (const call of one.calls) {
    if (call.afterwards === true) await product.settled()
    const etag = answers.at(-1)?.headers.get('etag') ?? ''
    const answer = await fetch(...requestOf(product.url, call, scope, etag))
    answers.push({ status: answer.status, headers: answer.headers, body: Buffer.from(await answer.arrayBuffer()) })
  }
  return { scope, answers }
}

function requestOf(url: string, call: Call, scope: Scope, etag: string): [url: string, init: RequestInit] {
  const { body, form = 'json', sizeBytes = 0 } = call
  const [method = '', path] = scope.fill(call.request).split(' ')
  const headers = Object.fromEntries(
    Object.entries(call.headers ?? {}).map(([name, value]) => [name, scope.fill(value.replace('~E', etag))]),
  )
  if (body === undefined) return [`${url}${path}`, { method, headers }]
  if (Buffer.isBuffer(body)) return [`${url}${path}`, { method, headers, body }]
  const text = scope.fill(typeof body === 'string' ? body : JSON.stringify(body)).padEnd(sizeBytes)
  const packed = packings[form](text)
  if (packed.parameter !== undefined) return [`${url}${path}data=${encodeURIComponent(packed.parameter)}`, { method }]
  return [`${url}${path}`, { method, body: packed.body ?? text, headers: { ...packed.headers, ...headers } }]
}
