import type { Telemetry } from './telemetry.ts'

export { createTelemetry, type Telemetry } from './telemetry.ts'

/** What leaves as spans, among the numbers of the process. */
export const telemetryService = (telemetry: Telemetry) => ({
  gauges: [
    {
      name: 'clew_telemetry_dropped_requests_total',
      help: 'Requests since the start whose spans a collector did not take, for want of room or as it refused them',
      read: telemetry.dropped,
    },
  ],
  close: telemetry.close,
})
