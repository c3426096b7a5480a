import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { personName } from '../../lib/person.ts'
import type { SessionSummary } from '../../lib/shapes.ts'
import { buttonClasses } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Count, Duration, Time } from '../../ui/time.tsx'

/** Who was in front of the screen, and what this visit came to. */
export function PersonTab({ session }: { readonly session: SessionSummary }) {
  const { person } = session
  return (
    <div className="grid min-h-0 gap-4 overflow-y-auto p-4">
      <div>
        <h2 className="font-semibold text-lg">{personName(person)}</h2>
        <p className="text-ink-2">
          {person.userId ? 'Signed in: the session and the user of the application are one person.' : 'Not signed in.'}
        </p>
      </div>
      <dl className="grid grid-cols-[112px_minmax(0,1fr)] items-center gap-y-1 border-line border-y py-3">
        {person.email && <Fact name="E-mail">{person.email}</Fact>}
        {person.userId && (
          <Fact name="User">
            <Id value={person.userId} label="Copy the user’s id" />
          </Fact>
        )}
        <Fact name="Visitor">
          <Id value={person.distinctId} label="Copy the distinct id" />
        </Fact>
        <Fact name="Browser">{[session.browser, session.os, session.device].filter(Boolean).join(', ') || '–'}</Fact>
        <Fact name="Came in at">
          <span className="mono">{session.entryPath ?? '–'}</span>
        </Fact>
        <Fact name="Started">
          <Time at={session.startedAt} look="clock" />
        </Fact>
        <Fact name="Active">
          <Duration ms={session.activeMs} /> <span className="text-ink-2">of</span> <Duration ms={session.durationMs} />
        </Fact>
      </dl>
      <dl className="grid grid-cols-3 gap-y-3">
        {counts.map(([name, label]) => (
          <div key={name}>
            <dt className="text-ink-2 text-sm">{label}</dt>
            <dd className="text-lg">
              <Count value={session[name]} />
            </dd>
          </div>
        ))}
      </dl>
      <Link to="/sessions" search={{ q: person.email ?? person.distinctId }} className={`${buttonClasses()} w-max`}>
        All sessions of this person
      </Link>
    </div>
  )
}

const counts = [
  ['pages', 'Pages'],
  ['clicks', 'Clicks'],
  ['keypresses', 'Keys'],
  ['requests', 'Requests'],
  ['changes', 'Rows changed'],
  ['errors', 'Errors'],
] as const

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-2">{name}</dt>
      <dd className="min-w-0 truncate">{children}</dd>
    </>
  )
}

function Id({ value, label }: { readonly value: string; readonly label: string }) {
  return (
    <span className="mono flex min-w-0 items-center gap-1">
      <span className="truncate">{value}</span>
      <CopyButton text={value} label={label} />
    </span>
  )
}
