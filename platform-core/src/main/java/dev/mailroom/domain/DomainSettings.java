package dev.mailroom.domain;

import java.time.Duration;
import java.util.List;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What domains publish, and how it is looked up.
 *
 * @param platformDomain from which the platform's own mail comes
 * @param mxHost the server that takes bounces
 * @param spfInclude the name whose SPF record lists the servers that send
 * @param dnsServers whom to ask, each as host or host:port; the system's where none is
 * given
 * @param domainGrace how long a domain may lack its records before it is no longer
 * verified
 * @param domainRecheck how often a domain that was verified is looked at again
 * @param reservedNames whether names that no DNS has verify without it: the standalone
 * only
 */
@ConfigurationProperties("mailroom")
record DomainSettings(@DefaultValue("mailroom.localhost") String platformDomain,
		@DefaultValue("mx.mailroom.localhost") String mxHost, @DefaultValue("spf.mailroom.localhost") String spfInclude,
		@DefaultValue List<String> dnsServers, @DefaultValue("72h") Duration domainGrace,
		@DefaultValue("1h") Duration domainRecheck, @DefaultValue("false") boolean reservedNames) {
}
