import type { ReactNode } from 'react'
import { readableJson } from '../../lib/readable-json.ts'
import { Code } from '../../ui/code.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'

/** A titled part of a drawer. */
export function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h2 className="font-semibold">{title}</h2>
      {children}
    </section>
  )
}

interface HttpPartsProps {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** Stands in place of a body. */
  readonly noBody: string
}

/** Headers and body of a request, or of a response. */
export function HttpParts({ headers, body, noBody }: HttpPartsProps) {
  return (
    <>
      {Object.keys(headers).length > 0 && (
        <Facts className="mono">
          {Object.entries(headers).map(([name, value]) => (
            <Fact key={name} name={name}>
              {value}
            </Fact>
          ))}
        </Facts>
      )}
      {body ? <Code text={readableJson(body)} copyLabel="Copy the body" /> : <p className="text-ink-2">{noBody}</p>}
    </>
  )
}
