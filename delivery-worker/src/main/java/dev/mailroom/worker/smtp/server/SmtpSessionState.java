package dev.mailroom.worker.smtp.server;

import java.net.InetSocketAddress;

import dev.mailroom.Scope;
import org.jspecify.annotations.Nullable;

/** State of a session outside of transactions. */
final class SmtpSessionState {

	private final InetSocketAddress address;

	private String helo = "";

	private boolean tls;

	private volatile @Nullable Scope principal;

	SmtpSessionState(InetSocketAddress address) {
		this.address = address;
	}

	/** Records EHLO or HELO. */
	void introduced(String name) {
		this.helo = name;
	}

	boolean isIntroduced() {
		return !this.helo.isEmpty();
	}

	/** Records TLS and discards everything received before it. */
	void secured() {
		this.tls = true;
		this.helo = "";
		this.principal = null;
	}

	boolean isSecured() {
		return this.tls;
	}

	void authenticated(Scope scope) {
		this.principal = scope;
	}

	boolean isAuthenticated() {
		return this.principal != null;
	}

	SmtpClient client() {
		return new SmtpClient(this.address, this.helo, this.tls, this.principal);
	}

}
