import { Link, type LinkProps } from '@tanstack/react-router'
import { Check, Circle } from 'lucide-react'
import type { ReactNode } from 'react'
import type { BackupsAnswer, Instance } from '../../lib/api/schemas.ts'
import { Time } from '../../ui/time.tsx'

interface ReadinessProps {
  readonly instance: Instance
  /** Absent while it is on its way, and for operators who are not shown it. */
  readonly backups: BackupsAnswer | undefined
  /** Findings of the advisor that are a matter of security. */
  readonly openSecurity: number | undefined
}

interface Step {
  readonly label: string
  readonly isDone: boolean
  readonly says: ReactNode
  readonly link: Pick<LinkProps, 'to' | 'search'> | null
}

/** What an instance needs before many people use it, each as it is now. */
export function Readiness({ instance, backups, openSecurity }: ReadinessProps) {
  return (
    <ul className="grid gap-1.5">
      {stepsOf({ instance, backups, openSecurity }).map(({ label, isDone, says, link }) => (
        <li key={label} className="flex items-center gap-2">
          {isDone ? (
            <Check aria-label="done" className="size-3.5 shrink-0 text-ok" />
          ) : (
            <Circle aria-label="open" className="size-3.5 shrink-0 text-ink-3" />
          )}
          {link === null ? (
            label
          ) : (
            <Link {...link} className="hover:underline">
              {label}
            </Link>
          )}
          <span className="ml-auto truncate text-ink-2">{says}</span>
        </li>
      ))}
    </ul>
  )
}

function stepsOf({ instance: { readiness, apiUrl }, backups, openSecurity }: ReadinessProps): readonly Step[] {
  const { sendsMail, hasDomain, ownKeys, asksConsent } = readiness
  return [
    ...(backups === undefined ? [] : [backupStep(backups)]),
    ...(openSecurity === undefined
      ? []
      : [
          {
            label: 'Row security',
            isDone: openSecurity === 0,
            says: openSecurity === 0 ? 'nothing open' : `${openSecurity} to fix`,
            link: { to: '/advisor', search: { kind: 'security' as const } } as const,
          },
        ]),
    { label: 'Keys', isDone: ownKeys, says: ownKeys ? 'your own' : 'known to everybody', link: null },
    {
      label: 'Domain',
      isDone: hasDomain,
      says: hasDomain ? new URL(apiUrl).hostname : 'this machine only',
      link: null,
    },
    { label: 'Mail', isDone: sendsMail, says: sendsMail ? 'sent' : 'kept in the inbox', link: { to: '/mails' } },
    {
      label: 'Consent',
      isDone: asksConsent,
      says: asksConsent ? 'asked for' : 'not asked for',
      link: { to: '/settings/privacy' },
    },
  ]
}

function backupStep({ target, isExternal, backups }: BackupsAnswer): Step {
  const good = backups.find(({ verification }) => verification?.isGood === true)?.verification
  const says = isExternal ? (
    'by your own server'
  ) : target === null ? (
    'no target'
  ) : good ? (
    <>
      verified <Time at={good.at} />
    </>
  ) : (
    'none verified'
  )
  return { label: 'Backups', isDone: isExternal || Boolean(good), says, link: { to: '/settings/backups' } }
}
