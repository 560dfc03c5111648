import { describe, expect, it } from 'vitest';
import source from '../../../../../../platform-core/src/main/java/dev/mailroom/audit/Act.java?raw';
import { accountActs, actNames, actorName, changes, sentenceText } from './acts';

/** The acts that the server records. */
const recorded = [...source.matchAll(/[A-Z_]+\("([a-z_.]+)"\)/g)].map(([, act]) => act!);

const entry = (act: string, details: unknown = {}, target = '') => ({ act, target, details });

describe('the audit log', () => {
  it('has a name for each act that the server records, and for no other', () => {
    expect(recorded.length).toBeGreaterThan(30);
    expect(actNames.map(([act]) => act).sort()).toEqual(recorded.sort());
    expect(accountActs.map(([act]) => act)).toContain('account.suspended');
    expect(accountActs.map(([act]) => act)).not.toContain('queue.paused');
  });

  it('says what was done in a sentence', () => {
    expect(
      sentenceText(entry('api_key.created', { name: 'first', permissions: ['send'], domain_id: 'x' })),
    ).toBe('Created API key first (send)');
    expect(sentenceText(entry('api_key.created', { name: 'all', permissions: [], account: true }))).toBe(
      'Created API key all for all domains (none)',
    );
    expect(
      sentenceText(entry('member.changed', { email: 'a@b.test', before: 'viewer', role: 'admin' })),
    ).toBe('Changed the role of a@b.test from viewer to admin');
    expect(sentenceText(entry('member.joined', { email: 'a@b.test', role: 'admin' }))).toBe(
      'Joined as admin',
    );
    expect(sentenceText(entry('inbound_route.deleted', { pattern: '*' }))).toBe(
      'Deleted the inbound route for *',
    );
    expect(sentenceText(entry('mail.read', {}, '01a1fcfa-54d5-7637-aeed-db3819747c84'))).toBe(
      'Read the content of email 01a1fcfa',
    );
    expect(sentenceText(entry('destination.held', { until: 'released' }, 'slow.test'))).toBe(
      'Held mail to slow.test',
    );
    expect(sentenceText(entry('brand.changed', { name: 'b' }))).toBe('Changed the brand');
    expect(sentenceText(entry('thing.made', {}, 'x'))).toBe('thing.made x');
  });

  it('compares the values of an entry with those of the one before', () => {
    const before = entry('webhook.created', { url: 'https://a.test/', active: true, events: ['email.sent'] });
    const after = entry('webhook.changed', { url: 'https://a.test/', active: false, events: [] });
    expect(changes(after, before)).toEqual([
      { name: 'url', before: 'https://a.test/', after: 'https://a.test/' },
      { name: 'active', before: 'yes', after: 'no' },
      { name: 'events', before: 'email.sent', after: 'none' },
    ]);
    expect(changes(entry('member.changed', { before: 'viewer', role: 'admin' }), undefined)).toEqual([
      { name: 'role', before: 'viewer', after: 'admin' },
    ]);
    expect(changes(after, undefined)[0]!.before).toBeNull();
  });

  it('names actors, of operators only what they are', () => {
    const actorId = '01a1fcfa-54d5-7637-aeed-db3819747c84';
    expect(actorName({ actorKind: 'PERSON', actorId, actor: 'a@b.test' })).toBe('a@b.test');
    expect(actorName({ actorKind: 'PERSON', actorId, actor: null })).toBe('Account 01a1fcfa');
    expect(actorName({ actorKind: 'API_KEY', actorId, actor: null })).toBe('API key 01a1fcfa');
    expect(actorName({ actorKind: 'API_KEY', actorId, actor: 'shop' })).toBe('API key shop');
    expect(actorName({ actorKind: 'OPERATOR', actorId: null, actor: null })).toBe('Mailroom operator');
  });
});
