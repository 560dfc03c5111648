package dev.mailroom.operator;

import dev.mailroom.Scope;

/**
 * Proof that a caller is an operator according to the database. Only {@link Operators}
 * creates it, and every service for operators requires it.
 */
public final class Operator {

	private final Scope scope;

	Operator(Scope scope) {
		this.scope = scope;
	}

	/** The operator's own account. */
	public Scope scope() {
		return this.scope;
	}

}
