import type { Command } from 'commander'

/** How a command's work is run; its result is the process's exit code. */
export interface Runner {
  /** Runs a command that ends by itself, or as soon as the reader of its output is gone. */
  readonly run: (command: () => Promise<number>) => Promise<void>
  /** Runs a server, which goes on when the reader of its output is gone. */
  readonly serve: (command: () => Promise<number>) => Promise<void>
}

/** Adds a command's arguments, options, subcommands and actions. */
export type DefineCommand = (command: Command, runner: Runner) => void

/** A file of `commands/`. */
export interface CommandModule {
  readonly define: DefineCommand
}
