package dev.mailroom.admin.operator;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.admin.graphql.Payload;
import dev.mailroom.admin.operator.OperatorResolver.Console;
import dev.mailroom.operator.Explanation;
import dev.mailroom.operator.ManagedSite;
import dev.mailroom.operator.ManagedSites;
import dev.mailroom.operator.Operator;
import dev.mailroom.operator.TlsDemand;
import dev.mailroom.site.ProviderProfile;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/** Profiles of providers, the sites of recipients and their policies about TLS. */
@Controller
class ProviderResolver {

	private final ManagedSites sites;

	ProviderResolver(ManagedSites sites) {
		this.sites = sites;
	}

	@SchemaMapping(typeName = "Operator")
	Mono<List<ProviderProfile>> providerProfiles(Console console) {
		return this.sites.profiles(console.operator());
	}

	@SchemaMapping(typeName = "Operator")
	Mono<List<ManagedSite>> sites(Console console) {
		return this.sites.list(console.operator());
	}

	@SchemaMapping(typeName = "Operator")
	Mono<List<Explanation>> explain(Console console, @Argument UUID account, @Argument String domain,
			@Argument String stream, @Argument String recipient) {
		return this.sites.explain(console.operator(), account, domain, stream, recipient);
	}

	@SchemaMapping(typeName = "Operator")
	Mono<List<TlsDemand>> tlsPolicies(Console console) {
		return this.sites.tlsDemands(console.operator());
	}

	@MutationMapping
	Mono<Map<String, Object>> operatorSaveProfile(Operator operator, @Argument ProviderProfile input) {
		return Payload.of("profile", this.sites.save(operator, input));
	}

	@MutationMapping
	Mono<Map<String, Object>> operatorResetProfile(Operator operator, @Argument String name) {
		return Payload.of("reset", this.sites.reset(operator, name));
	}

	@MutationMapping
	Mono<Map<String, Object>> operatorPauseSite(Operator operator, @Argument PauseSiteInput input) {
		return Payload.of("site", this.sites.pause(operator, input.site(), input.reason(), input.until()));
	}

	@MutationMapping
	Mono<Map<String, Object>> operatorForgetSite(Operator operator, @Argument String site) {
		return Payload.of("site", this.sites.forget(operator, site));
	}

	/** A site to be paused. */
	record PauseSiteInput(String site, String reason, Instant until) {
	}

}
