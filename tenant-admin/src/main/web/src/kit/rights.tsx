/** The changes that the server permits the reader, for the controls of all pages. */
import { createContext, useContext, type ReactNode } from 'react';
import type { MemberRole, Right } from '../gen/graphql';

export interface Rights {
  /** Whether a control with this right is shown; false until the rights are known. */
  readonly may: (right: Right | undefined) => boolean;
  /** Reason for which a right is missing; null if the reader has it, or before the rights are known. */
  readonly refusal: (right: Right) => string | null;
  /** Whether an operator watches the account, which a bar shows already. */
  readonly watching: boolean;
}

interface Own {
  readonly member: { readonly role: MemberRole };
  readonly rights: readonly {
    readonly right: Right;
    readonly role: MemberRole;
    readonly permitted: boolean;
  }[];
}

/** The rights in a response of the server; undefined before it. */
export function rightsOf(own: Own | undefined, watching: boolean): Rights {
  const find = (right: Right) => own?.rights.find((each) => each.right === right);
  return {
    watching,
    may: (right) => right === undefined || find(right)?.permitted === true,
    refusal: (right) => {
      const found = find(right);
      if (!own || !found || found.permitted) return null;
      if (watching) return 'An account that is watched can only be read.';
      return `Read only: your role is ${own.member.role.toLowerCase()}, changes need the role ${found.role.toLowerCase()}.`;
    },
  };
}

/** Without a session all controls are shown. */
const Context = createContext<Rights>({ may: () => true, refusal: () => null, watching: false });

export const RightsProvider = Context.Provider;

export function useRights(): Rights {
  return useContext(Context);
}

/** Shows its children to readers with a right only. */
export function May({ right, children }: { right: Right; children: ReactNode }) {
  return useRights().may(right) ? children : null;
}
