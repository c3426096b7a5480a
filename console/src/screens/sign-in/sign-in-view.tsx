import { useMutation } from '@tanstack/react-query'
import { ClewMark } from '../../frame/clew-mark.tsx'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { Operator, Setup } from '../../lib/api/schemas.ts'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Field } from '../../ui/field.tsx'
import { SecondStepForm } from './second-step.tsx'

interface SignInProps {
  readonly setup: Setup
  readonly onSignedIn: (operator: Operator) => void
}

/** The sign-in of operators; an application's users have accounts of their own. */
export function SignInView({ setup, onSignedIn }: SignInProps) {
  return (
    <main className="grid min-h-full place-items-center px-4 py-12">
      <div className="grid w-full max-w-80 gap-6">
        <header className="grid gap-1">
          <ClewMark size={28} />
          <h1 className="mt-3 font-semibold text-xl">{setup.state === 'claimed' ? 'Sign in' : 'No owner yet'}</h1>
          <p className="text-ink-2">{setup.project}</p>
        </header>
        {setup.state === 'claimed' ? <SignInForm onSignedIn={onSignedIn} /> : <Unclaimed />}
      </div>
    </main>
  )
}

function SignInForm({ onSignedIn }: { readonly onSignedIn: (operator: Operator) => void }) {
  const signIn = useMutation({
    mutationFn: api.signIn,
    onSuccess: ({ operator }) => operator !== null && onSignedIn(operator),
  })
  const step = signIn.data?.secondStep
  if (step) return <SecondStepForm step={step} onSignedIn={onSignedIn} onBack={signIn.reset} />
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        const form = new FormData(event.currentTarget)
        signIn.mutate({ email: String(form.get('email')), password: String(form.get('password')) })
      }}
    >
      <Field label="Email" name="email" type="email" autoComplete="username" required autoFocus />
      <Field
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        required
        problem={signIn.error ? errorText(signIn.error) : undefined}
      />
      <Button type="submit" look="primary" size="large" className="justify-center" disabled={signIn.isPending}>
        {signIn.isPending ? 'Signing in…' : 'Sign in'}
      </Button>
    </form>
  )
}

function Unclaimed() {
  return (
    <div className="grid gap-3 text-ink-2">
      <p>Clew printed a one-time link when it started. Open it to create the owner account.</p>
      <p>Lost the link? Start Clew again to get a new one.</p>
      <Code text="npm start" copyLabel="Copy the command" />
    </div>
  )
}
