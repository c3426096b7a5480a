import { expect, test } from 'vitest'
import { requestContext } from '../../../../test/request-context.ts'
import { exceptionOfRequest } from './server-errors.ts'

const ended = (service: string, status: number, errorCode: string | null) => {
  const context = { ...requestContext(), method: 'GET', path: '/rest/v1/orders/42', errorCode }
  return exceptionOfRequest({ context, service, status, durationMs: 1, requestBytes: 0, responseBytes: 0 })
}

test.each([
  ['rest', 500, 'XX000', 'XX000'],
  ['rest', 400, '22P02', '22P02'],
  ['rest', 404, '42P01', '42P01'],
  ['auth', 500, null, 'HTTP 500'],
  ['storage', 503, 'SlowDown', 'SlowDown'],
])('a request of %s answered %i for %s is an error', (service, status, code, type) => {
  expect(ended(service, status, code)).toMatchObject({
    source: service,
    url: 'GET /rest/v1/orders/:id',
    properties: { $exception_list: [{ type, value: `GET /rest/v1/orders/:id answered ${status}` }] },
  })
})

test.each([
  ['rest', 200, null],
  ['rest', 404, 'PGRST205'],
  ['rest', 409, '23505'],
  ['rest', 403, '42501'],
  ['rest', 400, 'P0001'],
  ['auth', 400, 'weak_password'],
  ['functions', 500, null],
])('a request of %s answered %i for %s is none', (service, status, code) => {
  expect(ended(service, status, code)).toBeNull()
})
