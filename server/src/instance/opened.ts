/** Closes what was opened, the last first, each even when another fails. */
export async function closeAll(opened: (() => Promise<void>)[], log: (line: string) => void): Promise<void> {
  for (const step of opened.splice(0).reverse()) {
    await step().catch((error: unknown) => log(`Stopping: ${String(error)}`))
  }
}
