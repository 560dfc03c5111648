import { describe, expect, it } from 'vitest';
import source from '../../../../../../platform-core/src/main/java/dev/mailroom/audit/Act.java?raw';
import { acts } from './acts';

/** The acts that the server records. */
const recorded = [...source.matchAll(/[A-Z_]+\("([a-z_.]+)"\)/g)].map(([, act]) => act!);

describe('the audit log', () => {
  it('has a name for each act that the server records, and for no other', () => {
    expect(recorded.length).toBeGreaterThan(30);
    expect(acts.map(([act]) => act).sort()).toEqual(recorded.sort());
  });
});
