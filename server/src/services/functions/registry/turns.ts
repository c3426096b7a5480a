/** Runs tasks of one name one after another, and those of different names beside each other. */
export interface Turns {
  run<T>(name: string, task: () => Promise<T>): Promise<T>
  /** Resolves when all have ended. */
  idle(): Promise<void>
}

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>()
  return {
    run(name, task) {
      const result = (last.get(name) ?? Promise.resolve()).then(task)
      const ended = result
        .catch(() => undefined)
        .then(() => {
          if (last.get(name) === ended) last.delete(name)
        })
      last.set(name, ended)
      return result
    },
    async idle() {
      while (last.size > 0) await Promise.all(last.values())
    },
  }
}
