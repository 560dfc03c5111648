/** Failed readings, because of which open pages do not show the newest state. */
import type { QueryClient } from '@tanstack/react-query';
import { Fault, passing } from '../words/errors';

export interface Gap {
  readonly fault: Fault;
  /** Time of the oldest data that is shown, in milliseconds. */
  readonly at: number;
}

interface Reading {
  readonly state: {
    readonly data: unknown;
    readonly dataUpdatedAt: number;
    readonly error: unknown;
    readonly fetchFailureReason: unknown;
  };
}

/** The oldest of the readings that have data and then failed, for a reason that passes by itself; undefined without one. */
export function gap(readings: readonly Reading[]): Gap | undefined {
  return readings
    .flatMap(({ state }): Gap[] => {
      const fault = state.fetchFailureReason ?? state.error;
      return state.data !== undefined && fault instanceof Fault && passing(fault)
        ? [{ fault, at: state.dataUpdatedAt }]
        : [];
    })
    .toSorted((a, b) => a.at - b.at)[0];
}

/** Finds the gap of the queries that are shown. */
export function gapOf(client: QueryClient): Gap | undefined {
  return gap(client.getQueryCache().findAll({ type: 'active' }));
}
