package dev.mailroom.api.security;

import java.io.Serial;
import java.util.List;

import dev.mailroom.Scope;
import dev.mailroom.apikey.ApiKey;
import org.jspecify.annotations.Nullable;

import org.springframework.security.authentication.AbstractAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;

/** Whose request it is, and what it may do. The credential itself is not kept. */
final class Caller extends AbstractAuthenticationToken {

	/** What a person may do: everything but send. */
	static final String PERSON = "person";

	@Serial
	private static final long serialVersionUID = 1L;

	private final transient Scope scope;

	private Caller(Scope scope, List<String> authorities) {
		super(AuthorityUtils.createAuthorityList(authorities));
		this.scope = scope;
		setAuthenticated(true);
	}

	static Caller person(Scope scope) {
		return new Caller(scope, List.of(PERSON));
	}

	/** A key may do what its permissions say, over its own domain. */
	static Caller key(ApiKey key) {
		return new Caller(Scope.of(key.accountId(), key.domainId(), key.id()), key.permissions());
	}

	Scope scope() {
		return this.scope;
	}

	boolean isPerson() {
		return this.scope.apiKey() == null;
	}

	@Override
	public @Nullable Object getCredentials() {
		return null;
	}

	@Override
	public Object getPrincipal() {
		return this.scope.account();
	}

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof Caller caller && caller.scope.equals(this.scope) && super.equals(other);
	}

	@Override
	public int hashCode() {
		return this.scope.hashCode();
	}

}
