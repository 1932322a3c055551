/** docs/guides/audit.md */
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { metrics } from '@opentelemetry/api'
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import SQLite from 'libsql'
import { expect, test, vi } from 'vitest'
import type { AuditOptions } from '../../src/index.ts'
import { countEvents } from '../../src/opentelemetry.ts'
import { browser } from '../../src/testing/index.ts'
import { recordAudit } from '../audit.ts'
import { enter, passwordConfig, TYPED } from '../config.ts'
import { openGuide } from './guide.ts'

const guide = openGuide('audit')

/** One wrong password, then a sign-in. */
async function attempt(audit: AuditOptions): Promise<void> {
  const tab = browser(passwordConfig({ audit }).config)
  await enter(tab, { ...TYPED, password: 'wrong' })
  await enter(tab)
}

test('writes JSON lines with the fields of the example', async () => {
  const { jsonLines } = await guide.load<{ jsonLines: (path: string) => AuditOptions }>(
    'json-lines.ts',
  )
  const path = join(mkdtempSync(join(tmpdir(), 'audit-')), 'audit.log')
  await attempt(jsonLines(path))
  const lines = () => readFileSync(path, 'utf8').trim().split('\n')
  await vi.waitFor(() => expect(lines()).toHaveLength(2), { timeout: 60_000 })
  const [failure, success] = lines().map((line): unknown => JSON.parse(line))
  const [example = '{}'] = guide.blocks('json')
  const { userAgent: _browser, ...documented } = JSON.parse(example) as object & {
    userAgent: string
  }
  expect(Object.keys(failure ?? {}).sort()).toEqual(Object.keys(documented).sort())
  expect(success).toMatchObject({ type: 'signin', outcome: 'success', actor: { id: '1' } })
})

test('a file that cannot be written is logged, and the sign-in continues', async () => {
  const { jsonLines } = await guide.load<{ jsonLines: (path: string) => AuditOptions }>(
    'json-lines.ts',
  )
  const { config, log } = passwordConfig({ audit: jsonLines('/nowhere/audit.log') })
  const tab = browser(config)
  await enter(tab)
  expect(await tab.session()).not.toBeNull()
  expect(log.errors).toMatchObject([{ type: 'EventError' }])
})

test('writes rows, which are found by reference and by target', async () => {
  const { auditTable } = await guide.load<{ auditTable: (database: unknown) => AuditOptions }>(
    'audit-table.ts',
  )
  const database = new SQLite(':memory:')
  await attempt(auditTable(database))
  const [failure] = database.prepare("SELECT * FROM audit_events WHERE outcome = 'failure'").all()
  expect(failure).toMatchObject({ type: 'signin', actor: null, target: expect.any(String) })
  const { ref } = failure as { ref: string }
  expect(
    database.prepare('SELECT count(*) AS n FROM audit_events WHERE ref = ?').get(ref),
  ).toMatchObject({
    n: 1,
  })
})

test('counts events by type, outcome, reason and provider, and passes them on', async () => {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 1e9 })
  const provider = new MeterProvider({ readers: [reader] })
  metrics.setGlobalMeterProvider(provider)
  try {
    const { audit, types } = recordAudit()
    await attempt({ write: countEvents(audit.write) })
    expect(types()).toEqual(['signin failure', 'signin success'])
    await provider.forceFlush()
    const [counter] = exporter.getMetrics()[0]?.scopeMetrics[0]?.metrics ?? []
    expect(counter?.descriptor).toMatchObject({ name: 'lib_auth.audit.events', unit: '{event}' })
    const wrong = { outcome: 'failure', reason: 'CredentialsSignin' }
    const common = { type: 'signin', provider: 'password' }
    expect(counter?.dataPoints).toMatchObject([
      { attributes: { ...common, ...wrong }, value: 1 },
      { attributes: { ...common, outcome: 'success' }, value: 1 },
    ])
  } finally {
    metrics.disable()
    await provider.shutdown()
  }
})

test('counts nothing without a meter provider, and still passes events on', async () => {
  const { audit, types } = recordAudit()
  await attempt({ write: countEvents(audit.write) })
  expect(types()).toHaveLength(2)
})
