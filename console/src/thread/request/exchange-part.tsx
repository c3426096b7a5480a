import type { Exchange } from '../../lib/api/schemas.ts'
import { readableJson } from '../../lib/readable-json.ts'
import { Code } from '../../ui/code.tsx'
import { formatBytes } from '../../ui/time-text.ts'

interface ExchangePartProps {
  readonly exchange: Exchange | null
  readonly requestBytes: number
  readonly responseBytes: number
}

/** What a request and its answer said, as far as the setting keeps it. */
export function ExchangePart({ exchange, requestBytes, responseBytes }: ExchangePartProps) {
  return (
    <section aria-label="Headers and bodies" className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h2 className="font-semibold">Headers and bodies</h2>
      {exchange === null ? (
        <p className="text-ink-2">
          None are kept of this request. <span className="mono">[thread] exchanges = "bodies"</span> keeps those of
          later ones, without secrets and what is masked.
        </p>
      ) : (
        <div className="grid @3xl:grid-cols-2 grid-cols-[minmax(0,1fr)] items-start gap-x-5 gap-y-4">
          <Said title="Request" said={exchange.request} bytes={requestBytes} />
          <Said title="Answer" said={exchange.response} bytes={responseBytes} />
        </div>
      )}
    </section>
  )
}

interface SaidProps {
  readonly title: string
  readonly said: Exchange['request']
  readonly bytes: number
}

function Said({ title, said: { headers, body, leftOut }, bytes }: SaidProps) {
  const lower = title.toLowerCase()
  return (
    <article aria-label={title} className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h3 className="font-medium">{title}</h3>
      {body !== null && body !== '' ? (
        <Code
          text={readableJson(body)}
          copyLabel={`Copy the body of the ${lower}`}
          className="max-h-96 overflow-y-auto"
        />
      ) : (
        <p className="text-ink-2">{leftOut === null ? 'No body.' : whyLeftOut[leftOut](bytes)}</p>
      )}
      <details>
        <summary className="w-fit cursor-pointer text-ink-2 hover:text-ink">
          {headers.length === 1 ? '1 header' : `${headers.length} headers`}
        </summary>
        <Code
          text={headers.map(({ name, value }) => `${name}: ${value}`).join('\n')}
          copyLabel={`Copy the headers of the ${lower}`}
          className="mt-2"
        />
      </details>
    </article>
  )
}

const whyLeftOut: Readonly<Record<NonNullable<Exchange['request']['leftOut']>, (bytes: number) => string>> = {
  large: (bytes) =>
    `${bytes > 0 ? `${formatBytes(bytes)}: longer` : 'Longer'} than [thread] exchange_body_kib allows, so it is left out.`,
  kind: (bytes) =>
    `${bytes > 0 ? `${formatBytes(bytes)} of another kind` : 'Of another kind'}: JSON, forms and plain text are kept.`,
  masked: () => 'It named what was masked later, and was removed.',
  off: () => 'The setting keeps headers only.',
}
