"""What labels.json says of each class: its name in English and Thai, what it is, and what to do.

General rules of growing rice, for a first look; who sprays asks somebody who has seen the field.
"""

DETAILS = {
    "bacterial_leaf_blight": {
        "name": {"en": "Bacterial leaf blight", "th": "โรคขอบใบแห้ง"},
        "description": {
            "en": "Caused by the bacterium Xanthomonas oryzae pv. oryzae; it spreads with water.",
            "th": "เกิดจากเชื้อแบคทีเรีย Xanthomonas oryzae pv. oryzae แพร่กระจายไปกับน้ำ",
        },
        "advice": {
            "en": "Drain the field, hold back nitrogen, and do not walk among wet plants. Ask the local agricultural "
                  "office before you spray.",
            "th": "ระบายน้ำออกจากแปลง งดใส่ปุ๋ยไนโตรเจน ไม่เดินในแปลงขณะใบเปียก และปรึกษาเจ้าหน้าที่เกษตรก่อนใช้สารเคมี",
        },
    },
    "rice_blast": {
        "name": {"en": "Rice blast", "th": "โรคไหม้ข้าว"},
        "description": {
            "en": "Caused by the fungus Pyricularia oryzae; it likes cool nights, dew and much nitrogen.",
            "th": "เกิดจากเชื้อรา Pyricularia oryzae ระบาดเมื่ออากาศเย็น มีน้ำค้าง และใส่ปุ๋ยไนโตรเจนมาก",
        },
        "advice": {
            "en": "Hold back nitrogen and keep water in the field. Ask the local agricultural office about fungicides.",
            "th": "งดใส่ปุ๋ยไนโตรเจน รักษาระดับน้ำในแปลง และปรึกษาเจ้าหน้าที่เกษตรเรื่องสารป้องกันเชื้อรา",
        },
    },
    "rice_brown_spot": {
        "name": {"en": "Brown spot", "th": "โรคใบจุดสีน้ำตาล"},
        "description": {
            "en": "Caused by the fungus Bipolaris oryzae; it comes with poor soil and dryness.",
            "th": "เกิดจากเชื้อรา Bipolaris oryzae พบในดินขาดธาตุอาหารและแปลงที่ขาดน้ำ",
        },
        "advice": {
            "en": "Have the soil tested, give balanced fertiliser with potassium, and sow clean seed.",
            "th": "ตรวจวิเคราะห์ดิน ใส่ปุ๋ยให้สมดุลโดยเฉพาะโพแทสเซียม และใช้เมล็ดพันธุ์ปลอดโรค",
        },
    },
}
