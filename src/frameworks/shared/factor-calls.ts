/** Functions for the second factors of the user of a request. */
import {
  confirmOwn,
  enrollOwn,
  listOwn,
  removeOwn,
  renewOwn,
} from '../../core/account/manage-factors.ts'
import type { CallContext } from './calls.ts'
import type { UserFactors } from './factor-types.ts'
import { runCall } from './session-calls.ts'

export function factorCalls<Req extends object>(
  context: CallContext<Req>,
): UserFactors<[req: Req]> {
  return {
    list: (req) => runCall(req, context, listOwn),
    enroll: (req, options) =>
      runCall(req, context, (request, config) => enrollOwn(request, config, options)),
    confirm: (req, enrollment) =>
      runCall(req, context, (request, config) => confirmOwn(request, config, enrollment)),
    remove: (req, id) => runCall(req, context, (request, config) => removeOwn(request, config, id)),
    renewRecoveryCodes: (req) => runCall(req, context, renewOwn),
  }
}
