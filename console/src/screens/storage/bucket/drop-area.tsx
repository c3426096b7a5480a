import { type DragEvent, type ReactNode, useState } from 'react'
import { inBackground } from '../../../lib/in-background.ts'
import { type ChosenFile, droppedFiles } from './upload/dropped-files.ts'

interface DropAreaProps {
  readonly enabled: boolean
  readonly onFiles: (files: readonly ChosenFile[]) => void
  readonly children: ReactNode
}

/** Takes files and folders that are dropped on it. */
export function DropArea({ enabled, onFiles, children }: DropAreaProps) {
  const [isOver, setOver] = useState(false)
  const hasFiles = ({ dataTransfer }: DragEvent) => enabled && dataTransfer.types.includes('Files')
  return (
    <section
      aria-label="Files"
      className={`flex min-h-0 min-w-0 flex-1 flex-col ${isOver ? 'outline-2 outline-thread -outline-offset-2' : ''}`}
      onDragOver={(event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false)
      }}
      onDrop={(event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setOver(false)
        inBackground(droppedFiles(event.dataTransfer).then(onFiles))
      }}
    >
      {children}
    </section>
  )
}
