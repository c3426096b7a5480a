import { Link } from '@tanstack/react-router'
import { Check, Circle } from 'lucide-react'
import type { Instance, Overview } from '../../lib/api/schemas.ts'
import { Time } from '../../ui/time.tsx'

interface ChecklistProps {
  readonly firsts: Overview['firsts']
  readonly instance: Instance
}

/** The first request, event and recording, ticked as they arrive, and the instance's addresses. */
export function Checklist({ firsts, instance }: ChecklistProps) {
  const steps = [
    { label: 'First request', at: firsts.requestAt },
    { label: 'First event', at: firsts.eventAt },
    { label: 'First recording', at: firsts.recordingAt },
  ]
  const isWhole = steps.every(({ at }) => at !== null)
  return (
    <div className="grid gap-2">
      <ul className="grid gap-1.5">
        {steps.map(({ label, at }) => (
          <li key={label} className="flex items-center gap-2">
            {at === null ? (
              <Circle aria-label="waiting" className="size-3.5 text-ink-3" />
            ) : (
              <Check aria-label="done" className="size-3.5 text-ok" />
            )}
            {label}
            <span className="ml-auto text-ink-2">{at === null ? 'waiting' : <Time at={at} />}</span>
          </li>
        ))}
      </ul>
      {!isWhole && (
        <Link to="/welcome" className="quiet-link justify-self-start">
          Show the setup code
        </Link>
      )}
      <dl className="grid gap-1.5 border-line border-t pt-2">
        <Address name="API" url={instance.apiUrl} />
        {instance.exampleUrl && <Address name="Example" url={instance.exampleUrl} />}
        {instance.inboxUrl && <Address name="Inbox" url={instance.inboxUrl} />}
      </dl>
    </div>
  )
}

function Address({ name, url }: { readonly name: string; readonly url: string }) {
  return (
    <div className="flex items-baseline justify-between gap-3">
      <dt>{name}</dt>
      <dd className="mono min-w-0 truncate text-ink-2">
        <a href={url} target="_blank" rel="noreferrer" className="hover:text-ink hover:underline">
          {url.replace(/^https?:\/\//, '')}
        </a>
      </dd>
    </div>
  )
}
