import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { isProofNeeded } from '../../frame/access-queries.ts'
import { useProof } from '../../frame/use-proof.tsx'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { KeptCounts, PersonSummary } from '../../lib/api/schemas.ts'
import { personName } from '../../lib/person.ts'
import { Button, buttonClasses } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Field } from '../../ui/field.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Count } from '../../ui/time.tsx'
import { erasurePreviewQuery, erasureQuery } from './queries.ts'

interface EraseDialogProps {
  readonly person: PersonSummary
  readonly onClose: () => void
}

/** Says what is removed and what stays, asks for the name, and shows how far the removal is. */
export function EraseDialog({ person, onClose }: EraseDialogProps) {
  const [erasureId, setErasureId] = useState<string>()
  return (
    <Dialog open onClose={onClose} title={`Erase ${personName(person)}`}>
      {erasureId === undefined ? <EraseForm person={person} onBegun={setErasureId} /> : <Progress id={erasureId} />}
    </Dialog>
  )
}

interface EraseFormProps {
  readonly person: PersonSummary
  readonly onBegun: (erasureId: string) => void
}

function EraseForm({ person, onBegun }: EraseFormProps) {
  const name = personName(person)
  const [typed, setTyped] = useState('')
  const [refuse, setRefuse] = useState(false)
  const proof = useProof()
  const { data: kept, error } = useQuery(erasurePreviewQuery(person.id))
  const erase = useMutation({
    mutationFn: () => api.erasePerson(person.id, { refuse }),
    onSuccess: ({ id }) => onBegun(id),
    onError: (problem) => proof.ask(problem, () => erase.mutate()),
  })
  const problem = erase.error && !isProofNeeded(erase.error) ? erase.error : error
  return (
    <>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          erase.mutate()
        }}
      >
        {kept ? <Kept kept={kept} /> : !error && <SkeletonRows rows={5} />}
        <p className="text-ink-2">
          Not erased: the user’s account and sign-ins, rows of your tables, files, mails in the inbox, and requests,
          which only lose their session. This cannot be undone.
        </p>
        <label className="flex items-start gap-2">
          <input
            type="checkbox"
            className="mt-1"
            checked={refuse}
            onChange={({ target }) => setRefuse(target.checked)}
          />
          <span>
            Also refuse for the future: nothing more is stored under these ids.{' '}
            <span className="text-ink-2">Without it, a next visit makes a new person.</span>
          </span>
        </label>
        <Field
          label={`Type ${name} to confirm`}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          autoComplete="off"
          problem={problem ? errorText(problem) : undefined}
        />
        <Button
          type="submit"
          look="danger"
          size="large"
          className="justify-center"
          disabled={typed !== name || kept === undefined || erase.isPending}
        >
          Erase what is stored
        </Button>
      </form>
      {proof.dialog}
    </>
  )
}

function Kept({ kept }: { readonly kept: KeptCounts }) {
  return (
    <Facts className="border-line border-y py-3">
      <Fact name="Ids">
        <Count value={kept.ids} />, with the properties known of them
      </Fact>
      <Fact name="Events">
        <Count value={kept.events} />
      </Fact>
      <Fact name="Recordings">
        <Count value={kept.recordings} />
      </Fact>
      <Fact name="Exceptions">
        <Count value={kept.exceptions} />
      </Fact>
      <Fact name="Requests">
        <Count value={kept.requests} /> <span className="text-ink-2">lose their session</span>
      </Fact>
    </Facts>
  )
}

function Progress({ id }: { readonly id: string }) {
  const { data, error } = useQuery(erasureQuery(id))
  if (error) return <p role="alert">{errorText(error)}</p>
  if (data === undefined) return <SkeletonRows rows={3} />
  const { state, steps, stepsDone, counts } = data
  return (
    <div className="grid gap-4">
      <p role="status">
        {state === 'done'
          ? 'Done: nothing of this is stored any more.'
          : steps === 0
            ? 'Begins in a moment. It goes on when you close this.'
            : `Step ${Math.min(stepsDone + 1, steps)} of ${steps}: each store is looked at twice. It goes on when you close this.`}
      </p>
      <progress
        value={state === 'done' ? 1 : stepsDone}
        max={state === 'done' ? 1 : Math.max(steps, 1)}
        aria-label="Progress"
        className="w-full"
      />
      {data.error && <p className="text-danger">{data.error}. It is tried again.</p>}
      {counts && <Kept kept={counts} />}
      {state === 'done' && (
        <Link to="/people" className={`${buttonClasses()} w-max`}>
          Back to people
        </Link>
      )}
    </div>
  )
}
