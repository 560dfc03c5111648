package dev.mailroom.domain;

import java.time.Duration;
import java.util.List;

import dev.mailroom.Allowed;
import dev.mailroom.WrongSetting;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of domains and their DNS records.
 *
 * @param platformDomain domain of the platform's own mail
 * @param mxHost host that receives bounces
 * @param spfInclude name of the SPF record that lists the sending servers
 * @param dnsServers name servers to query, each as host or host:port; the system's if
 * empty
 * @param domainGrace time for which a verified domain may lack its records before it
 * fails
 * @param domainRecheck interval between the checks of a verified domain
 * @param tenantTransports transports that tenants may choose for their domains, of relay
 * and mx
 * @param reservedNames whether names below reserved top-level domains are verified
 * without DNS; for the standalone only
 */
@ConfigurationProperties("mailroom")
record DomainSettings(@DefaultValue("mailroom.localhost") String platformDomain,
		@DefaultValue("mx.mailroom.localhost") String mxHost, @DefaultValue("spf.mailroom.localhost") String spfInclude,
		@DefaultValue List<String> dnsServers,
		@DefaultValue("72h") @Allowed(from = "0s", to = "30d") Duration domainGrace,
		@DefaultValue("1h") @Allowed(from = "100ms", to = "7d") Duration domainRecheck,
		@DefaultValue List<String> tenantTransports, @DefaultValue("false") boolean reservedNames) {

	DomainSettings {
		dnsServers = stripped(dnsServers);
		tenantTransports = stripped(tenantTransports);
		for (String server : dnsServers) {
			check(server.matches("[^:]+(:\\d{1,5})?|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*:[0-9a-fA-F:.]*"),
					"MAILROOM_DNS_SERVERS", server,
					"a name server, as host or host:port; several are separated by commas");
		}
		for (String transport : tenantTransports) {
			check(transport.equals("relay") || transport.equals("mx"), "MAILROOM_TENANT_TRANSPORTS", transport,
					"relay, mx or both, separated by a comma");
		}
	}

	private static List<String> stripped(List<String> values) {
		return values.stream().map(String::strip).filter((value) -> !value.isEmpty()).toList();
	}

	private static void check(boolean valid, String variable, String value, String allowed) {
		if (!valid) {
			throw new WrongSetting(variable, value, allowed);
		}
	}

	/** Whether a tenant may choose a transport; the platform's is always permitted. */
	boolean permits(Domain.@Nullable Transport transport) {
		return transport == null || transport == Domain.Transport.DEFAULT
				|| this.tenantTransports.contains(transport.contractName());
	}

}
