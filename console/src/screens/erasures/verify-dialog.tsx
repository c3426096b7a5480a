import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import { Dot, type Tone } from '../../ui/badge.tsx'
import { Code } from '../../ui/code.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Time } from '../../ui/time.tsx'

type Outcome = Awaited<ReturnType<typeof api.verifyCertificate>>['outcome']

const verdicts: Readonly<Record<Outcome, readonly [tone: Tone, text: string]>> = {
  good: ['ok', 'This instance signed it, and nothing of it was changed.'],
  'of another instance': ['warn', 'Nothing of it was changed, but another instance signed it.'],
  changed: ['danger', 'It was changed after it was signed.'],
  'not a certificate': ['danger', 'The file is no certificate of an erasure.'],
}

/** Whether a file is a certificate as it was signed. */
export function VerifyDialog({ onClose }: { readonly onClose: () => void }) {
  const id = useId()
  const verify = useMutation({ mutationFn: async (file: File) => api.verifyCertificate(parsed(await file.text())) })
  const { data } = verify
  return (
    <Dialog open onClose={onClose} title="Verify a certificate">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <div className="grid gap-1">
          <label htmlFor={id} className="font-medium text-ink-2 text-sm">
            Certificate (a JSON file)
          </label>
          <input
            id={id}
            type="file"
            accept="application/json,.json"
            onChange={({ target }) => {
              const file = target.files?.[0]
              if (file) verify.mutate(file)
            }}
          />
        </div>
        <div role="status">
          {data && (
            <>
              <Dot tone={verdicts[data.outcome][0]}>{verdicts[data.outcome][1]}</Dot>
              {data.completedAt !== null && (
                <p className="text-ink-2">
                  Erasure {data.id?.slice(0, 8)}, done <Time at={data.completedAt} look="clock" />
                </p>
              )}
            </>
          )}
        </div>
        {verify.error && (
          <p role="alert" className="text-danger">
            {errorText(verify.error)}
          </p>
        )}
        <p className="text-ink-2">On the command line, where the file is checked for a person’s address as well:</p>
        <Code text="clew erasure verify erasure.json --of ada@example.com" copyLabel="Copy the command" />
      </div>
    </Dialog>
  )
}

/** The JSON of a text; the text itself where it is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
