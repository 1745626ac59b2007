/**
 * The tree of the demo data below `Beauty`: a cat2 without indent, a cat3 with two spaces, a cat4
 * with four and, after its colon, its cat5 items, which may go on with six. A group in brackets
 * makes the items of a cat3 the ones that others are related to in that group.
 */
export const BEAUTY_OUTLINE = `
Skincare
  Skincare ingredients [ingredients]
    Vitamins: Niacinamide, Vitamin C, Vitamin E, Panthenol, Retinol, Retinal, Bakuchiol
    Acids: Hyaluronic acid, Salicylic acid, Glycolic acid, Lactic acid
      Azelaic acid, Mandelic acid, Tranexamic acid
    Peptides and proteins: Copper peptides, Matrixyl, Collagen, Epidermal growth factor, PDRN
    Barrier lipids: Ceramides, Squalane, Shea butter, Jojoba oil, Cholesterol
    Botanicals: Centella asiatica, Green tea extract, Licorice root, Aloe vera
      Rosehip oil, Tea tree oil, Mugwort
    Ferments: Snail mucin, Galactomyces, Bifida ferment, Propolis
  Skin concerns [concerns]
    Blemishes: Acne, Blackheads, Enlarged pores, Oiliness, Post-acne marks
    Tone: Hyperpigmentation, Dark spots, Dullness, Redness, Dark circles
    Ageing: Fine lines, Wrinkles, Loss of firmness, Crow's feet
    Comfort: Dryness, Dehydration, Sensitivity, Rosacea, Damaged barrier
  Skin types [skin-types]
    Skin by moisture: Oily skin, Dry skin, Combination skin, Normal skin
    Skin by condition: Sensitive skin, Acne-prone skin, Mature skin
  Skincare formats [formats]
    Leave-on formats: Serum, Gel, Cream, Lotion, Balm, Face oil, Ampoule
    Rinse-off formats: Foam, Cleansing milk, Clay, Powder
    Single-use formats: Patch, Pad, Sheet
  Face care
    Cleansers: Cleansing balm, Cleansing oil, Micellar water
      Gel cleanser, Foaming cleanser, Enzyme powder wash
    Toners: Exfoliating toner, Hydrating toner, Milky toner, Toner pads, Rose water
    Serums: Niacinamide serum, Vitamin C serum, Retinol serum
      Peptide serum, Hyaluronic serum, Azelaic serum
    Moisturisers: Gel moisturiser, Barrier cream, Night cream
      Sleeping mask, Slugging balm, Tinted moisturiser
    Face masks: Clay mask, Sheet mask, Peel-off mask, Overnight collagen mask, Bubble mask
    Spot care: Pimple patches, Spot gel, Blemish stick
  Eye and lip care
    Eye care: Eye cream, Eye gel, Under-eye patches, Lash serum, Caffeine eye serum
    Lip care: Lip balm, Lip mask, Lip scrub, Lip oil treatment
  Tools and devices
    Face tools: Gua sha, Jade roller, Ice globes, Dermaplaning tool, Facial steamer
    Beauty devices: LED mask, Microcurrent device, Cleansing brush, High-frequency wand
Sun care
  Face sun care
    Daily sunscreens: Mineral sunscreen, Invisible sunscreen, Tinted sunscreen
      Sunscreen serum, Sunscreen stick
    Sun setting: Sunscreen mist, Sunscreen powder, Sunscreen cushion
  Body sun care
    Body sunscreens: Sunscreen spray, Sunscreen lotion
      Water-resistant sunscreen, Kids sunscreen
    After sun: After-sun gel, Aloe mist, Tan extender
    Self-tanning: Tanning drops, Tanning mousse, Gradual tanner
Makeup
  Complexion
    Foundations: Skin tint, Serum foundation, Cushion foundation
      Stick foundation, Powder foundation
    Concealers: Full-cover concealer, Brightening concealer, Colour corrector
    Cheeks: Cream blush, Liquid blush, Powder blush
      Contour stick, Bronzing drops, Liquid highlighter
    Primers and setting: Pore primer, Gripping primer, Setting spray, Setting powder
  Eyes
    Eyeshadows: Eyeshadow palette, Eyeshadow stick, Liquid glitter shadow, Matte quad
    Eyeliners: Liquid eyeliner, Gel eyeliner, Coloured eyeliner, Eyeliner stamp
    Lashes: Tubing mascara, Lengthening mascara, Brown mascara, Lash clusters, Magnetic lashes
    Brows: Brow gel, Brow pencil, Brow lamination kit, Brow soap
  Lips
    Lip colours: Lip oil, Lip tint, Lip stain, Matte lipstick
      Lip gloss, Plumping gloss, Peel-off lip stain
    Lip definition: Lip liner, Overlining pencil, Lip contour
  Brushes and sponges
    Applicators: Blending sponge, Powder puff, Foundation brush, Kabuki brush
Haircare
  Hair ingredients [ingredients]
    Hair actives: Rosemary oil, Biotin, Caffeine, Redensyl, Pumpkin seed oil
    Hair conditioners: Keratin, Argan oil, Rice water, Coconut oil, Castor oil, Silk protein
  Hair and scalp concerns [concerns]
    Scalp concerns: Dandruff, Itchy scalp, Oily scalp, Scalp build-up
    Hair concerns: Hair loss, Frizz, Split ends, Breakage, Thinning edges
  Washing
    Shampoos: Sulfate-free shampoo, Clarifying shampoo, Anti-dandruff shampoo
      Purple shampoo, Dry shampoo, Shampoo bar
    Conditioners: Deep conditioner, Co-wash, Leave-in conditioner, Conditioner bar
  Treatments
    Hair masks: Bond repair mask, Protein mask, Gloss mask, Overnight hair mask
    Scalp care: Scalp serum, Scalp scrub, Scalp massager, Hair growth drops
    Hair oils: Hair oil, Pre-wash oil, Heat protectant oil
  Styling
    Curls: Curl cream, Curl gel, Heatless curlers, Diffuser
    Hold: Slick-back stick, Hair wax, Edge control, Texture spray, Sea salt spray
    Heat: Air styler, Flat iron, Thermal brush, Heat protectant spray
  Colour
    Colouring: Root touch-up, Semi-permanent colour, Hair gloss, Copper hair dye, Bleach kit
Fragrance
  Perfumes
    Gourmand scents: Vanilla perfume, Pistachio perfume, Caramel perfume, Coffee perfume
    Fresh scents: Citrus perfume, Marine perfume, Tea perfume, Clean musk
    Deep scents: Oud perfume, Amber perfume, Leather perfume, Incense perfume
    Floral scents: Rose perfume, Jasmine perfume, Peony perfume, Orange blossom perfume
  Other fragrance
    Light formats: Body mist, Hair perfume, Solid perfume, Perfume oil
    Sets: Discovery set, Travel spray, Layering set
Nails
  Nail colour
    Polishes: Gel polish, Chrome polish, Sheer polish, Cat eye polish, Breathable polish
    Ready-made nails: Press-on nails, Gel strips, Nail wraps
    Nail looks: Glazed nails, French manicure, Aura nails, Nail charms
  Nail care
    Cuticle care: Cuticle oil, Cuticle remover, Nail serum
    Nail repair: Ridge filler, Strengthening base coat, Builder gel
    Nail tools: UV lamp, Electric nail file, Glass file
Body care
  Bath and shower
    Body wash: Body wash gel, Shower oil, Exfoliating body wash, Body scrub
    Bath: Bath salts, Bath bomb, Bath milk
  Body moisture
    Body lotions: Body butter, Body lotion, Urea body cream, Body serum, Firming cream
    Hand and foot: Hand cream, Foot peel, Foot cream, Hand mask
  Deodorants
    Deodorant types: Natural deodorant, Whole-body deodorant
      Clinical antiperspirant, Glycolic deodorant
  Shaving
    Shaving care: Shaving cream, Razor bump serum, Wax strips, Hair removal cream
Men's grooming
  Beard
    Beard care: Beard oil, Beard balm, Beard trimmer, Beard dye
  Men's face and hair
    Men's basics: Aftershave balm, Men's face wash, Hair clay, Hair fibres
`;
