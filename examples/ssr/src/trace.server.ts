import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { detectResources, envDetector } from '@opentelemetry/resources'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import type { MiddlewareFunction } from 'react-router'

// The environment names the endpoint, the service and the key: OTEL_EXPORTER_OTLP_…, OTEL_SERVICE_NAME.
if (process.env.OTEL_EXPORTER_OTLP_ENDPOINT)
  new NodeTracerProvider({
    resource: detectResources({ detectors: [envDetector] }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  }).register()

const tracer = trace.getTracer('notes')

/** A span around all loaders and actions of a request, within the caller's trace where there is one. */
export const withTrace: MiddlewareFunction<Response> = ({ request }, next) => {
  const { pathname } = new URL(request.url)
  const attributes = { 'http.request.method': request.method, 'url.path': pathname }
  const options = { kind: SpanKind.SERVER, attributes }
  const caller = propagation.extract(context.active(), Object.fromEntries(request.headers))
  return tracer.startActiveSpan(`${request.method} ${pathname}`, options, caller, async (span) => {
    try {
      const response = await next()
      span.setAttribute('http.response.status_code', response.status)
      return response
    } catch (error) {
      span.recordException(error instanceof Error ? error : String(error))
      span.setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  })
}

/** `fetch` within a span, which the call names: Clew shows its request, statements and rows below it. */
export const tracedFetch: typeof fetch = (input, init) => {
  const request = new Request(input, init)
  const { pathname } = new URL(request.url)
  return tracer.startActiveSpan(`${request.method} ${pathname}`, { kind: SpanKind.CLIENT }, async (span) => {
    propagation.inject(context.active(), request.headers, { set: (headers, name, value) => headers.set(name, value) })
    try {
      const response = await fetch(request)
      span.setAttribute('http.response.status_code', response.status)
      return response
    } finally {
      span.end()
    }
  })
}
