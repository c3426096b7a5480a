import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { LeaveDialog } from '../../drafts/leave-dialog.tsx'
import { ErrorProblem } from '../../frame/failure.tsx'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { FunctionInfo } from '../../lib/api/schemas.ts'
import { useRights } from '../../lib/rights.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Select } from '../../ui/field.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { useToast } from '../../ui/toast.tsx'
import { type FailurePlace, findFailurePlace } from './failure-place.ts'
import { failureQuery, fileQuery, filesQuery, triggersQuery } from './queries.ts'

// The only screen with an editor: the others do not carry it.
const CodeEditor = lazy(async () => ({ default: (await import('./code-editor.tsx')).CodeEditor }))

interface CodePanelProps {
  readonly info: FunctionInfo
  /** The file that is open; the entry without it. */
  readonly file: string | undefined
  readonly onFile: (file: string) => void
}

/** The files of a function; in local mode they are saved into the project folder. */
export function CodePanel({ info, file, onFile }: CodePanelProps) {
  const { canChange } = useRights()
  const { data: files, error, refetch } = useQuery({ ...filesQuery(info.name), enabled: canChange })
  if (!canChange)
    return (
      <Empty title="The code is for owners and developers.">
        <p>Their role shows and changes it.</p>
      </Empty>
    )
  if (error && files === undefined) return <ErrorProblem error={error} onRetry={refetch} />
  if (files === undefined) return <SkeletonRows />
  const path = files.some((each) => each.path === file) ? (file ?? info.entry) : info.entry
  return <OpenFile key={path} info={info} path={path} paths={files.map((each) => each.path)} onFile={onFile} />
}

interface OpenFileProps {
  readonly info: FunctionInfo
  readonly path: string
  readonly paths: readonly string[]
  readonly onFile: (file: string) => void
}

function OpenFile({ info, path, paths, onFile }: OpenFileProps) {
  const { name } = info
  const queryClient = useQueryClient()
  const toast = useToast()
  const { data: text, error, refetch } = useQuery(fileQuery(name, path))
  const { data: triggers } = useQuery(triggersQuery(name))
  const { data: failure } = useQuery(failureQuery(name))
  const [draft, setDraft] = useState<string>()
  /** The failure that was shown before the last save. */
  const [settled, setSettled] = useState<string>()
  const save = useMutation({
    mutationFn: (saved: string) => api.saveFunctionFile(name, { path, text: saved }),
    onSuccess(_done, saved) {
      queryClient.setQueryData(fileQuery(name, path).queryKey, saved)
      setDraft(undefined)
      setSettled(failure?.id)
      toast.add({ title: `${path} is saved.`, description: 'The next call runs it.' })
    },
  })
  if (error && text === undefined) return <ErrorProblem error={error} onRetry={refetch} />
  const canSave = triggers?.saves === true && info.isInFolder && !info.isPinned
  const isStanding = failure && failure.id !== settled && !(info.version && info.version.madeAt > failure.at)
  const problem = isStanding ? { text: failure.text, place: findFailurePlace(failure.text) } : null
  const isChanged = draft !== undefined && draft !== text
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-2 border-line border-b px-4 py-1.5">
        <Select
          label="File"
          value={path}
          options={paths.map((each) => ({ value: each, label: each.replace(/^supabase\/functions\//, '') }))}
          onChange={onFile}
          className="mono min-w-0 max-w-full"
        />
        {save.error && (
          <p role="alert" className="text-danger">
            {errorText(save.error)}
          </p>
        )}
        <span className="ml-auto text-ink-2 text-sm">
          {canSave ? (isChanged ? 'Not saved' : '') : readOnlyWhy(info, triggers?.saves)}
        </span>
        {canSave && (
          <>
            {isChanged && <Button onClick={() => setDraft(undefined)}>Undo</Button>}
            <Button
              look="primary"
              disabled={!isChanged || save.isPending}
              onClick={() => draft !== undefined && save.mutate(draft)}
            >
              Save
            </Button>
          </>
        )}
      </div>
      {problem && <Problem {...problem} isOpen={problem.place?.path === path} onFile={onFile} />}
      {text === undefined ? (
        <SkeletonRows />
      ) : (
        <Suspense fallback={<SkeletonRows />}>
          <CodeEditor
            path={path}
            text={draft ?? text}
            readOnly={!canSave}
            problem={problem?.place?.path === path ? { ...problem.place, text: problem.text } : null}
            onChange={setDraft}
            onSave={() => isChanged && save.mutate(draft)}
          />
        </Suspense>
      )}
      <LeaveDialog isChanged={isChanged} isSaving={save.isPending} isLostBySearch text={`${path} is not saved.`} />
    </div>
  )
}

interface ProblemProps {
  readonly text: string
  readonly place: FailurePlace | null
  /** Whether the place is in the open file. */
  readonly isOpen: boolean
  readonly onFile: (file: string) => void
}

/** Why the saved code does not start. */
function Problem({ text, place, isOpen, onFile }: ProblemProps) {
  const [first] = text.split('\n')
  return (
    <p role="alert" className="flex shrink-0 flex-wrap items-baseline gap-x-3 border-line border-b px-4 py-1.5">
      <span className="wrap-anywhere text-danger">It does not start: {first}</span>
      {place !== null &&
        (isOpen ? (
          <span className="text-ink-2">line {place.line}</span>
        ) : (
          <Button size="small" onClick={() => onFile(place.path)}>
            Open {place.path.replace(/^supabase\/functions\//, '')}
          </Button>
        ))}
    </p>
  )
}

function readOnlyWhy({ isInFolder, isPinned }: FunctionInfo, saves: boolean | undefined): string {
  if (saves === undefined) return ''
  if (!saves) return 'To change it, deploy it: clew functions deploy'
  if (!isInFolder) return 'It was deployed: the project folder does not have it'
  return isPinned ? 'An earlier version answers: this is it' : ''
}
