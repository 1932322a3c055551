import type { SessionContext } from '../contracts.ts'
import type { RecordAccess } from './access.ts'

/** Does nothing without a store. Records expire, so a failure is only logged. */
export async function withRecords(
  { config: { records, log } }: SessionContext,
  work: (records: RecordAccess) => Promise<void>,
): Promise<void> {
  try {
    if (records && (await records.adapter())) await work(records)
  } catch (error) {
    if (error instanceof Error) log.error(error)
  }
}
