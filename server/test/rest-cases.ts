import { expect } from 'vitest'
import type { RestCase } from './cases/rest/case.ts'
import type { RestApp } from './rest-app.ts'

/** Sends a case's request to the service, and holds the answer against it. */
export async function checkRestCase({ app }: RestApp, one: RestCase): Promise<void> {
  const [method = '', url = ''] = one.request.split(/ (.*)/s)
  const hasBody = one.body !== undefined
  const answer = await app.inject({
    // The router's own type knows fewer methods than may be sent.
    method: method as 'GET',
    url: `/rest/v1${url.replace(/[^\x21-\x7e]|["#<>\\^`{|}]/gu, encodeURIComponent)}`,
    headers: {
      ...(one.as === undefined ? {} : { authorization: `Bearer ${one.as}` }),
      ...(hasBody ? { 'content-type': 'application/json' } : {}),
      ...one.headers,
    },
    ...(hasBody ? { payload: typeof one.body === 'string' ? one.body : JSON.stringify(one.body) } : {}),
  })
  expect({ status: answer.statusCode, body: answer.body }).toMatchObject({ status: one.status })
  if (one.json !== undefined) expect(JSON.parse(answer.body)).toEqual(one.json)
  if (one.text !== undefined) expect(answer.body).toBe(one.text)
  for (const [name, value] of Object.entries(one.answer ?? {})) {
    const header = answer.headers[name]
    const text = header === undefined ? null : [header].flat().join(', ')
    expect({ [name]: text }).toEqual({ [name]: value })
  }
}
