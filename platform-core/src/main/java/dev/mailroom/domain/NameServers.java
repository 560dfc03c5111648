package dev.mailroom.domain;

import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;

import org.xbill.DNS.ExtendedResolver;
import org.xbill.DNS.Resolver;
import org.xbill.DNS.SimpleResolver;

import org.springframework.stereotype.Component;

/** Whom to ask about names: the same servers for everything that looks into DNS. */
@Component
public class NameServers {

	private static final Duration PATIENCE = Duration.ofSeconds(3);

	private static final int PORT = 53;

	private final Resolver resolver;

	NameServers(DomainSettings settings) throws UnknownHostException {
		this.resolver = resolver(settings.dnsServers());
	}

	/** Asks them, each for a few seconds and twice. */
	public Resolver resolver() {
		return this.resolver;
	}

	private static Resolver resolver(List<String> servers) throws UnknownHostException {
		List<String> named = servers.stream().map(String::strip).filter((server) -> !server.isEmpty()).toList();
		ExtendedResolver resolver = named.isEmpty() ? new ExtendedResolver()
				: new ExtendedResolver(named.stream().<Resolver>map(NameServers::server).toList());
		resolver.setTimeout(PATIENCE);
		resolver.setRetries(2);
		return resolver;
	}

	private static Resolver server(String text) {
		int colon = text.lastIndexOf(':');
		boolean port = colon > 0 && text.indexOf(':') == colon;
		return new SimpleResolver(new InetSocketAddress(port ? text.substring(0, colon) : text,
				port ? Integer.parseInt(text.substring(colon + 1)) : PORT));
	}

}
