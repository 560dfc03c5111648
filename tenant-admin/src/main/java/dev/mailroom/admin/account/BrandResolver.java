package dev.mailroom.admin.account;

import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.mailroom.Scope;
import dev.mailroom.admin.graphql.Payload;
import dev.mailroom.admin.graphql.Viewer;
import dev.mailroom.brand.Brand;
import dev.mailroom.brand.BrandChange;
import dev.mailroom.brand.Brands;
import dev.mailroom.brand.Language;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.graphql.data.method.annotation.Argument;
import org.springframework.graphql.data.method.annotation.MutationMapping;
import org.springframework.graphql.data.method.annotation.SchemaMapping;
import org.springframework.stereotype.Controller;

/** Brand of the caller's account. */
@Controller
class BrandResolver {

	private final Brands brands;

	BrandResolver(Brands brands) {
		this.brands = brands;
	}

	@SchemaMapping
	Mono<AccountBrand> brand(Viewer viewer) {
		return this.brands.find(viewer.scope()).map((brand) -> AccountBrand.of(viewer.scope(), brand));
	}

	@MutationMapping
	Mono<Map<String, Object>> updateBrand(Scope scope, @Argument UpdateBrandInput input) {
		return Payload.of("brand",
				Mono.fromCallable(input::change)
					.flatMap((change) -> this.brands.change(scope, change))
					.map((brand) -> AccountBrand.of(scope, brand)));
	}

	@SchemaMapping(typeName = "Brand")
	Mono<String> logo(AccountBrand brand) {
		return Mono.justOrEmpty(brand.image())
			.flatMap((id) -> this.brands.logo(brand.scope(), id))
			.map((logo) -> "data:" + logo.type() + ";base64," + Base64.getEncoder().encodeToString(logo.content()));
	}

	/**
	 * A brand with the account that it belongs to.
	 *
	 * @param image id of the logo; null without one
	 */
	record AccountBrand(Scope scope, String name, @Nullable String colour, String footer, List<Language> languages,
			@Nullable UUID image) {

		private static AccountBrand of(Scope scope, Brand brand) {
			return new AccountBrand(scope, brand.name(), (brand.colour() != null) ? brand.colour().toString() : null,
					brand.footer(), brand.languages(), brand.logo());
		}

	}

	/** The settings of a brand. */
	record UpdateBrandInput(String name, @Nullable String colour, String footer, List<Language> languages,
			@Nullable String logo) {

		BrandChange change() {
			return BrandChange.of(this.name, this.colour, this.footer, this.languages, this.logo);
		}

	}

}
