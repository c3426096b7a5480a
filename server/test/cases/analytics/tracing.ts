import type { AnalyticsCase } from './case.ts'

const preflight = {
  origin: 'http://localhost:5173',
  'access-control-request-method': 'GET',
  'access-control-request-headers': 'x-posthog-session-id,x-posthog-window-id,x-posthog-distinct-id',
}

/** Headers by which a request names its session (analytics §9). */
export const tracing: readonly AnalyticsCase[] = (
  [
    ['/rest/v1/anything', 200],
    ['/auth/v1/user', 204],
    ['/storage/v1/bucket', 204],
    ['/functions/v1/anything', 200],
  ] as const
).map(([path, status]) => ({
  rule: `9 pages may send them to ${path}`,
  calls: [
    {
      ...{ request: `OPTIONS /..${path}`, headers: preflight, status },
      allows: preflight['access-control-request-headers'],
    },
  ],
}))
