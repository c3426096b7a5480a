import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { PersonDetail } from '../../lib/api/schemas.ts'
import { personKind, personSearch, placeText } from '../../lib/person.ts'
import { useRights } from '../../lib/rights.ts'
import { Badge } from '../../ui/badge.tsx'
import { buttonClasses } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Count, Time } from '../../ui/time.tsx'

/** Who a person is: seen when and where, their user, devices and groups. */
export function PersonFacts({ detail }: { readonly detail: PersonDetail }) {
  const { person, user, devices, groups } = detail
  const { id, email, userId, distinctId } = person
  const { canProtect } = useRights()
  return (
    <aside aria-label="The person" className="grid grid-cols-[minmax(0,1fr)] content-start gap-5">
      <Facts>
        <Fact name="Known as">{personKind(person)}</Fact>
        {email && <Fact name="Email">{email}</Fact>}
        {person.country && <Fact name="Place">{placeText(person)}</Fact>}
        <Fact name="First seen">
          <Time at={person.firstSeenAt} />
        </Fact>
        <Fact name="Last seen">{person.lastSeenAt ? <Time at={person.lastSeenAt} /> : '–'}</Fact>
        <Fact name="30 days">
          <Count value={person.events} /> events, <Count value={person.sessions} />{' '}
          {person.sessions === 1 ? 'session' : 'sessions'}
        </Fact>
        <Fact name="Person">
          <Id value={id} label="Copy the person’s id" />
        </Fact>
      </Facts>
      <p className="flex flex-wrap gap-2">
        <Link to="/sessions" search={{ q: personSearch({ email, userId, distinctId }) }} className={buttonClasses()}>
          Sessions of this person
        </Link>
        {canProtect && (
          <Link
            to="/audit"
            search={{ about: userId === null ? id : `${id},${userId}` }}
            className={buttonClasses('bare')}
          >
            Who looked
          </Link>
        )}
      </p>
      {user && <UserPart user={user} />}
      {devices.length > 0 && (
        <Section title="Devices">
          <ul>
            {devices.map(({ browser, os, kind, events, lastSeenAt }) => (
              <li key={`${browser} ${os} ${kind}`} className="flex min-w-0 items-baseline gap-2 py-0.5">
                <span className="min-w-0 flex-1 truncate">{[browser, os, kind].filter(Boolean).join(', ')}</span>
                <span title={`${events} events`}>
                  <Time at={lastSeenAt} className="text-ink-2 text-sm" />
                </span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {groups.length > 0 && (
        <Section title="Groups">
          <ul>
            {groups.map(({ type, key, lastSeenAt }) => (
              <li key={`${type} ${key}`} className="flex min-w-0 items-baseline gap-2 py-0.5">
                <span className="text-ink-2">{type}</span>
                <Link
                  to="/groups/$type/$key"
                  params={{ type, key }}
                  title={key}
                  className="mono min-w-0 flex-1 truncate hover:underline"
                >
                  {key}
                </Link>
                <Time at={lastSeenAt} className="text-ink-2 text-sm" />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </aside>
  )
}

function UserPart({ user }: { readonly user: NonNullable<PersonDetail['user']> }) {
  const { id, account } = user
  return (
    <Section title="User of the application">
      <Facts>
        <Fact name="User">
          <Id value={id} label="Copy the user’s id" />
        </Fact>
        {account && (
          <>
            <Fact name="Signed up">
              <Time at={account.createdAt} />
            </Fact>
            <Fact name="Last sign-in">{account.lastSignInAt ? <Time at={account.lastSignInAt} /> : 'never'}</Fact>
            <Fact name="Signed in">
              {account.sessions === 0
                ? 'nowhere now'
                : `in ${account.sessions} ${account.sessions === 1 ? 'place' : 'places'}`}
            </Fact>
            {account.providers.length > 0 && <Fact name="By">{account.providers.join(', ')}</Fact>}
            {account.bannedUntil && Date.parse(account.bannedUntil) > Date.now() && (
              <Fact name="Banned">
                <Badge tone="danger">banned</Badge> until <Time at={account.bannedUntil} look="clock" />
              </Fact>
            )}
          </>
        )}
      </Facts>
    </Section>
  )
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <h2 className="font-semibold">{title}</h2>
      {children}
    </section>
  )
}

function Id({ value, label }: { readonly value: string; readonly label: string }) {
  return (
    <span className="mono flex min-w-0 items-center gap-1 text-sm">
      <span className="truncate">{value}</span>
      <CopyButton text={value} label={label} />
    </span>
  )
}
