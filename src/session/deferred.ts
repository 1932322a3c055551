import type { SessionStrategy } from '../contracts.ts'

/** Loads a strategy at its first call, so that an application never loads the strategy it does not use. */
export function deferredSessions(load: () => Promise<SessionStrategy>): SessionStrategy {
  return {
    read: async (ctx) => (await load()).read(ctx),
    create: async (ctx, facts, confirm) => (await load()).create(ctx, facts, confirm),
    update: async (ctx, data) => (await load()).update(ctx, data),
    destroy: async (ctx) => (await load()).destroy(ctx),
    identify: async (ctx) => (await load()).identify(ctx),
    subject: async (ctx) => (await load()).subject(ctx),
    endAll: async (ctx, userId, spare) => (await load()).endAll(ctx, userId, spare),
  }
}
