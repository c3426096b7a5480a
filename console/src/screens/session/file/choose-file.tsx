import { useRef } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'

interface ChooseFileProps {
  /** Why the file that was chosen last cannot be opened. */
  readonly problem: string | undefined
  readonly isReading: boolean
  readonly onFile: (file: File) => void
}

/** Where a recording file is chosen, or dropped. */
export function ChooseFile({ problem, isReading, onFile }: ChooseFileProps) {
  const input = useRef<HTMLInputElement>(null)
  const take = (files: FileList | null) => {
    const [file] = files ?? []
    if (file) onFile(file)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping a file is a way beside the button
    <div
      className="min-h-0 flex-1"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        take(event.dataTransfer.files)
      }}
    >
      <Empty title="Open a recording that was saved as a file.">
        <p>
          It is played in this browser; nothing of it is sent. Choose a file, or drop it here. A session’s menu saves
          one, and so does <span className="mono">clew recordings export</span>.
        </p>
        <div>
          <Button look="primary" disabled={isReading} onClick={() => input.current?.click()}>
            {isReading ? 'Reading the file…' : 'Choose a file…'}
          </Button>
          <input
            ref={input}
            type="file"
            accept=".gz,application/gzip"
            aria-label="Recording file"
            className="hidden"
            onChange={({ target }) => {
              take(target.files)
              // The file that was chosen can be chosen again.
              target.value = ''
            }}
          />
        </div>
        {problem && (
          <p role="alert" className="text-danger">
            {problem}
          </p>
        )}
      </Empty>
    </div>
  )
}
