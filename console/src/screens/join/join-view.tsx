import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ClewMark } from '../../frame/clew-mark.tsx'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { Operator } from '../../lib/api/schemas.ts'
import { Button, buttonClasses } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { invitationQuery } from './queries.ts'

interface JoinProps {
  readonly token: string
  readonly project: string
  readonly onJoined: (operator: Operator) => void
}

/** Creates the account of an invitation, or says that its link is over. */
export function JoinView({ token, project, onJoined }: JoinProps) {
  const { data: invitation, error } = useQuery({ ...invitationQuery(token), enabled: token !== '' })
  const problem = token === '' ? 'Open it as it was sent to you, or ask for another.' : error && errorText(error)
  const join = useMutation({ mutationFn: api.joinTeam, onSuccess: ({ operator }) => onJoined(operator) })
  return (
    <main className="grid min-h-full place-items-center px-4 py-12">
      <div className="grid w-full max-w-80 gap-6">
        <header className="grid gap-1">
          <ClewMark size={28} />
          <h1 className="mt-3 font-semibold text-xl">
            {token === ''
              ? 'This link is not whole'
              : error
                ? 'This invitation is over'
                : `Join the team of ${project}`}
          </h1>
          {invitation && (
            <p className="text-ink-2 wrap-anywhere">
              {invitation.invitedBy} invites {invitation.email}, as {invitation.role}.
            </p>
          )}
        </header>
        {problem ? (
          <div className="grid gap-4">
            <p className="text-ink-2">{problem}</p>
            <Link to="/sign-in" className={`${buttonClasses('primary', 'large')} justify-self-start`}>
              Sign in
            </Link>
          </div>
        ) : invitation === undefined ? (
          <SkeletonRows rows={3} />
        ) : (
          <form
            className="grid gap-4"
            onSubmit={(event) => {
              event.preventDefault()
              const form = new FormData(event.currentTarget)
              join.mutate({ token, name: String(form.get('name')), password: String(form.get('password')) })
            }}
          >
            <input type="hidden" name="email" autoComplete="username" value={invitation.email} />
            <Field label="Name" name="name" autoComplete="name" maxLength={255} required autoFocus />
            <Field
              label="Password"
              name="password"
              type="password"
              autoComplete="new-password"
              required
              problem={join.error ? errorText(join.error) : undefined}
            />
            <Button type="submit" look="primary" size="large" className="justify-center" disabled={join.isPending}>
              {join.isPending ? 'Joining…' : 'Join'}
            </Button>
          </form>
        )}
      </div>
    </main>
  )
}
