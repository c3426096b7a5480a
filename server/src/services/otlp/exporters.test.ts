import { SeverityNumber } from '@opentelemetry/api-logs'
import { OTLPLogExporter as JsonLogExporter } from '@opentelemetry/exporter-logs-otlp-http'
import { OTLPLogExporter as ProtobufLogExporter } from '@opentelemetry/exporter-logs-otlp-proto'
import { OTLPTraceExporter as JsonTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { LoggerProvider, SimpleLogRecordProcessor } from '@opentelemetry/sdk-logs'
import { BasicTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { describe, expect } from 'vitest'
import { secretKey, test } from '../../../test/otlp-world.ts'

const exporters = [
  ['Protobuf', ProtobufTraceExporter, ProtobufLogExporter],
  ['JSON', JsonTraceExporter, JsonLogExporter],
] as const
const resource = resourceFromAttributes({ 'service.name': 'shop' })

describe.for(exporters)('the official exporters in %s', ([, TraceExporter, LogExporter]) => {
  test.for(['none', 'gzip'] as const)('send spans, compressed: %s', async (compression, { otlp }) => {
    const exporter = new TraceExporter({
      url: `${otlp.url}/v1/traces`,
      headers: { apikey: secretKey },
      // The type is an enumeration, the values these texts.
      compression: compression as never,
    })
    const provider = new BasicTracerProvider({ resource, spanProcessors: [new SimpleSpanProcessor(exporter)] })
    const startTime = new Date(Date.now() - 1000)
    const span = provider.getTracer('checkout').startSpan('POST /checkout', { kind: 1, startTime })
    span.setAttributes({ 'session.id': 's-1', 'http.response.status_code': 502, tags: ['a', 'b'], ok: true, part: 0.5 })
    span.recordException(new RangeError('no stock'))
    span.setStatus({ code: 2, message: 'out of stock' })
    span.end(new Date(startTime.getTime() + 250))
    await provider.forceFlush()
    await provider.shutdown()
    const { traceId, spanId } = span.spanContext()
    const [row, ...more] = await otlp.spans()
    expect(more).toEqual([])
    expect(row).toMatchObject({
      ...{ trace_id: traceId, span_id: spanId, parent_span_id: '', name: 'POST /checkout', kind: 'server' },
      ...{ service: 'shop', scope: 'checkout', status: 'error', status_message: 'out of stock', session_id: 's-1' },
      ...{ start_ns: `${startTime.getTime()}000000`, duration_ns: '250000000', dropped: 0 },
    })
    expect(JSON.parse(String(row?.attributes))).toEqual({
      ...{ 'session.id': 's-1', 'http.response.status_code': 502, tags: ['a', 'b'], ok: true, part: 0.5 },
    })
    expect(JSON.parse(String(row?.events))).toMatchObject([
      { name: 'exception', attributes: { 'exception.type': 'RangeError', 'exception.message': 'no stock' } },
    ])
  })

  test('send log records', async ({ otlp }) => {
    const exporter = new LogExporter({
      url: `${otlp.url}/otlp/v1/logs`,
      headers: { Authorization: `Bearer ${secretKey}` },
    })
    const provider = new LoggerProvider({ resource, processors: [new SimpleLogRecordProcessor({ exporter })] })
    const at = new Date()
    provider.getLogger('payments').emit({
      ...{ timestamp: at, severityNumber: SeverityNumber.WARN, severityText: 'WARN', body: 'card declined' },
      attributes: { 'session.id': 's-2', amount: 12 },
    })
    await provider.forceFlush()
    await provider.shutdown()
    expect(await otlp.logs()).toMatchObject([
      {
        ...{
          level: 'warn',
          text: 'card declined',
          service: 'shop',
          scope: 'payments',
          session_id: 's-2',
          trace_id: '',
        },
        attributes: '{"session.id":"s-2","amount":12}',
      },
    ])
  })
})
