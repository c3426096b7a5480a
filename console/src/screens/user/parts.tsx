import { useMutation } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { UserDetail } from '../../lib/api/schemas.ts'
import { Button } from '../../ui/button.tsx'
import { Time } from '../../ui/time.tsx'

interface PartProps {
  readonly user: UserDetail
}

const line = 'flex min-h-8 items-center gap-3 border-line border-b py-1'

/** The ways a user signs in. */
export function IdentitiesPart({ user: { identities } }: PartProps) {
  return (
    <section className="grid gap-1">
      <h2 className="font-semibold">Signs in with</h2>
      {identities.length === 0 && <p className="text-ink-2">No identity: this user cannot sign in by themselves.</p>}
      <ul>
        {identities.map(({ id, provider, email, lastSignInAt }) => (
          <li key={id} className={line}>
            <span className="w-24 font-medium">{provider}</span>
            <span className="min-w-0 flex-1 truncate">{email ?? ''}</span>
            {lastSignInAt && <Time at={lastSignInAt} className="text-ink-2" />}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Where a user is signed in. */
export function SessionsPart({ user: { sessions } }: PartProps) {
  return (
    <section className="grid gap-1">
      <h2 className="font-semibold">Signed in</h2>
      {sessions.length === 0 && <p className="text-ink-2">Nowhere.</p>}
      <ul>
        {sessions.map(({ id, createdAt, refreshedAt, userAgent, address, level }) => (
          <li key={id} className={line}>
            <span className="min-w-0 flex-1 truncate" title={userAgent ?? undefined}>
              {userAgent ?? 'Unknown program'}
            </span>
            {level === 'aal2' && <span className="text-ink-2">second factor</span>}
            <span className="mono text-ink-2 max-narrow:hidden">{address ?? ''}</span>
            {(refreshedAt ?? createdAt) && <Time at={refreshedAt ?? createdAt ?? ''} className="text-ink-2" />}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A user's second factors. */
export function FactorsPart({ user, onChanged }: PartProps & { readonly onChanged: () => void }) {
  const remove = useMutation({
    mutationFn: (factorId: string) => api.removeUserFactor(user.id, factorId),
    onSuccess: onChanged,
  })
  return (
    <section className="grid gap-1">
      <h2 className="font-semibold">Second factors</h2>
      {user.factors.length === 0 && <p className="text-ink-2">None.</p>}
      <ul>
        {user.factors.map(({ id, name, type, isVerified, createdAt }) => (
          <li key={id} className={line}>
            <span className="w-24 font-medium">{type}</span>
            <span className="min-w-0 flex-1 truncate">
              {name}
              {!isVerified && <span className="ml-2 text-ink-2">not verified</span>}
            </span>
            <Time at={createdAt} className="text-ink-2" />
            <Button
              size="small"
              look="danger"
              disabled={remove.isPending}
              aria-label={`Remove the factor ${name ?? type}`}
              onClick={() => remove.mutate(id)}
            >
              Remove
            </Button>
          </li>
        ))}
      </ul>
      {remove.error && (
        <p role="alert" className="text-danger">
          {errorText(remove.error)}
        </p>
      )}
    </section>
  )
}
