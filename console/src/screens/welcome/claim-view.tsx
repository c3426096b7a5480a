import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../../lib/api/api.ts'
import { ApiError } from '../../lib/api/api-error.ts'
import type { Operator, Setup } from '../../lib/api/schemas.ts'
import { Button, buttonClasses } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Field } from '../../ui/field.tsx'

interface ClaimProps {
  readonly setup: Setup
  readonly token: string | undefined
  readonly onClaimed: (owner: Operator) => void
}

const shortestPassword = 10

/** Creates the owner account from the one-time link, or says that the link is used, missing or wrong. */
export function ClaimView({ setup, token, onClaimed }: ClaimProps) {
  const claim = useMutation({ mutationFn: api.claim, onSuccess: ({ operator }) => onClaimed(operator) })
  if (setup.state === 'claimed') return <Used />
  if (token === undefined) return <NoToken />
  return (
    <div className="mx-auto grid max-w-96 gap-6">
      <header className="grid gap-1">
        <h1 className="font-semibold text-2xl">Create the owner account</h1>
        <p className="text-ink-2">
          The first account of this console. It is separate from your application’s users and stays on this machine.
        </p>
      </header>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          const form = new FormData(event.currentTarget)
          const text = (name: string) => String(form.get(name) ?? '')
          claim.mutate({ token, name: text('name'), email: text('email'), password: text('password') })
        }}
      >
        <Field label="Name" name="name" autoComplete="name" required autoFocus />
        <Field label="Email" name="email" type="email" autoComplete="username" required />
        <Field
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          minLength={shortestPassword}
          hint={`At least ${shortestPassword} characters.`}
          required
        />
        {claim.error && <ClaimProblem error={claim.error} />}
        <Button type="submit" look="primary" size="large" className="justify-center" disabled={claim.isPending}>
          {claim.isPending ? 'Creating…' : 'Create account'}
        </Button>
      </form>
    </div>
  )
}

function ClaimProblem({ error }: { readonly error: Error }) {
  return (
    <div role="alert" className="grid gap-1 rounded-control border border-danger px-3 py-2">
      <p className="font-medium text-danger">{error.message}</p>
      {error instanceof ApiError && error.hint && <p className="text-ink-2">{error.hint}</p>}
      {error instanceof ApiError && error.requestId && <p className="mono text-ink-2">request {error.requestId}</p>}
    </div>
  )
}

function Used() {
  return (
    <div className="mx-auto grid max-w-96 gap-4">
      <h1 className="font-semibold text-2xl">This link has already been used</h1>
      <p className="text-ink-2">The owner account exists. Sign in with it.</p>
      <Link to="/sign-in" className={`${buttonClasses('primary', 'large')} justify-self-start`}>
        Sign in
      </Link>
    </div>
  )
}

function NoToken() {
  return (
    <div className="mx-auto grid max-w-96 gap-4">
      <h1 className="font-semibold text-2xl">No owner yet</h1>
      <p className="text-ink-2">
        Clew printed a one-time link when it started: this address with a token at its end. Open it to create the owner
        account. Lost the link? Start Clew again to get a new one.
      </p>
      <Code text="npm start" copyLabel="Copy the command" />
    </div>
  )
}
